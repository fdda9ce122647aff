package dev.jacquard.base.codec;

import dev.jacquard.base.service.Services;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of types: boxes of primitives, texts, enums, arrays, lists, maps and public records of these; services for
 * others. Lists and maps that were read can be changed.
 *
 * <pre>{@code
 * static final Codec<double[]> VECTOR = Codecs.standard().of(double[].class);
 * }</pre>
 *
 * <p>Immutable, and for any thread.
 */
public final class Codecs {
    private static final Codecs STANDARD = new Codecs(Map.of(), UnaryOperator.identity());
    /** Services, each looked for once. */
    private static final ClassValue<Optional<Codec<?>>> SERVICES = new ClassValue<>() {
        @Override
        protected Optional<Codec<?>> computeValue(Class<?> type) {
            return Optional.ofNullable(service(type));
        }
    };

    /** Codecs that come before all others, by the class of their values. */
    private final Map<Class<?>, Codec<?>> own;
    /** Returns the codec that is used in the place of each. */
    private final UnaryOperator<Codec<?>> change;

    private Codecs(Map<Class<?>, Codec<?>> own, UnaryOperator<Codec<?>> change) {
        this.own = own;
        this.change = change;
    }

    /** Returns the codecs of simple types, and of services. */
    public static Codecs standard() {
        return STANDARD;
    }

    /** Returns these codecs with another one, for values of its type wherever they occur. */
    public Codecs with(Codec<?> codec) {
        Map<Class<?>, Codec<?>> all = new HashMap<>(own);
        all.put(codec.type(), codec);
        return new Codecs(Map.copyOf(all), change);
    }

    /**
     * Returns these codecs, each changed: the codecs of lists, arrays, maps and records, and the codecs of their
     * contents.
     *
     * @param other returns a codec for the values of the given one, which may use that
     */
    public Codecs changed(UnaryOperator<Codec<?>> other) {
        return new Codecs(own, codec -> other.apply(change.apply(codec)));
    }

    /**
     * Returns the codec of a class without arguments; that of the boxes for a primitive one.
     *
     * @throws IllegalArgumentException if there is none; the message names the class for which there is none
     */
    @SuppressWarnings("unchecked") // it is the codec of that class
    public <T> Codec<T> of(Class<T> type) {
        return (Codec<T>) of(type, List.of());
    }

    /**
     * Returns the codec of a class with arguments: lists and maps have some.
     *
     * @param arguments the codecs of the types of the arguments
     * @throws IllegalArgumentException if there is none
     */
    public Codec<?> of(Class<?> type, List<Codec<?>> arguments) {
        return of(type, arguments, new HashSet<>());
    }

    /**
     * Returns a value as bytes.
     *
     * @throws IOException if a part of it is null, or it has more bytes than an array can have
     */
    public static <T> byte[] write(Codec<T> codec, T value) throws IOException {
        Codec.Output to = new Codec.Output();
        codec.write(value, to);
        if (to.length() > Integer.MAX_VALUE - 8) {
            throw new IOException("a value has " + to.length() + " bytes, more than an array can have");
        }
        byte[] bytes = new byte[(int) to.length()];
        long[] done = {0};
        to.each(piece -> {
            MemorySegment.copy(piece, 0, MemorySegment.ofArray(bytes), done[0], piece.byteSize());
            done[0] += piece.byteSize();
        });
        return bytes;
    }

    /**
     * Writes a value into memory of any kind, and returns that.
     *
     * @param allocator asked once, for as many bytes as the value takes
     * @throws IOException if a part of the value is null
     */
    public static <T> MemorySegment write(Codec<T> codec, T value, SegmentAllocator allocator) throws IOException {
        Codec.Output to = new Codec.Output();
        codec.write(value, to);
        MemorySegment memory = allocator.allocate(to.length(), 1);
        long[] done = {0};
        to.each(piece -> {
            MemorySegment.copy(piece, 0, memory, done[0], piece.byteSize());
            done[0] += piece.byteSize();
        });
        return memory;
    }

    /**
     * Returns the value that was written into memory.
     *
     * @throws IOException if the bytes differ from the written ones, as far as that can be seen
     */
    public static <T> T read(Codec<T> codec, MemorySegment bytes) throws IOException {
        long[] done = {0};
        return read(
                codec,
                piece -> {
                    MemorySegment.copy(bytes, done[0], piece, 0, piece.byteSize());
                    done[0] += piece.byteSize();
                },
                bytes.byteSize());
    }

    /**
     * Returns the value that was written to bytes.
     *
     * @throws IOException if they differ from the written ones, as far as that can be seen
     */
    public static <T> T read(Codec<T> codec, byte[] bytes) throws IOException {
        long[] done = {0};
        return read(
                codec,
                piece -> {
                    MemorySegment.copy(MemorySegment.ofArray(bytes), done[0], piece, 0, piece.byteSize());
                    done[0] += piece.byteSize();
                },
                bytes.length);
    }

    /** Reads a value that takes all of that number of bytes. */
    static <T> T read(Codec<T> codec, CheckpointWriter.Transfer from, long length) throws IOException {
        Codec.Input in = new Codec.Input(from, length);
        T value = codec.read(in);
        if (!codec.type().isInstance(value)) {
            throw new IOException("the bytes are no " + codec.type().getName());
        }
        if (in.left() > 0) {
            throw new IOException(in.left() + " bytes follow a " + codec.type().getName());
        }
        return value;
    }

    // ---- types

    private Codec<?> of(Class<?> type, List<Codec<?>> arguments, Set<Class<?>> around) {
        return change.apply(unchanged(type, arguments, around));
    }

    private Codec<?> unchanged(Class<?> type, List<Codec<?>> arguments, Set<Class<?>> around) {
        Codec<?> its = own.get(type);
        if (its == null) {
            its = ValueCodecs.SIMPLE.get(type);
        }
        if (its == null) {
            its = ArrayCodecs.PRIMITIVE.get(type);
        }
        if (its != null) {
            return its;
        }
        if (type.isArray()) {
            return ArrayCodecs.of(of(type.componentType(), arguments, around));
        }
        if (type == List.class && arguments.size() == 1) {
            return ValueCodecs.list(arguments.getFirst());
        }
        if (type == Map.class && arguments.size() == 2) {
            return ValueCodecs.map(arguments.getFirst(), arguments.getLast());
        }
        if (type.isEnum()) {
            return ValueCodecs.constants(type);
        }
        Optional<Codec<?>> service = SERVICES.get(type);
        if (service.isPresent()) {
            return service.get();
        }
        if (type.isRecord() && isPublic(type) && around.add(type)) {
            Codec<?> record = RecordCodec.of(type, component -> of(component, around));
            around.remove(type);
            return record;
        }
        throw new IllegalArgumentException("there is no codec for " + type.getName()
                + "; expected a box of a primitive, a text, an enum, an array, a list, a map or a public record of"
                + " these, or a service " + Codec.class.getName() + " for it");
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && type.getModule().isExported(type.getPackageName(), Codecs.class.getModule());
    }

    private Codec<?> of(Type type, Set<Class<?>> around) {
        if (type instanceof Class<?> its && its.getTypeParameters().length == 0) {
            return of(its, List.of(), around);
        }
        if (type instanceof GenericArrayType its) {
            return change.apply(ArrayCodecs.of(of(its.getGenericComponentType(), around)));
        }
        if (type instanceof ParameterizedType its && its.getRawType() instanceof Class<?> raw) {
            List<Codec<?>> arguments = new ArrayList<>();
            for (Type argument : its.getActualTypeArguments()) {
                arguments.add(of(argument, around));
            }
            return of(raw, arguments, around);
        }
        throw new IllegalArgumentException(
                "there is no codec for " + type + "; expected a class whose values are known");
    }

    private static @Nullable Codec<?> service(Class<?> type) {
        for (Codec<?> codec :
                Services.all(Codec.class, loader -> ServiceLoader.load(Codec.class, loader), type.getClassLoader())) {
            if (codec.type() == type) {
                return codec;
            }
        }
        return null;
    }
}
