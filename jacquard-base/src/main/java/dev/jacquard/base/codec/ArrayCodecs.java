package dev.jacquard.base.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The codecs of arrays. Arrays of primitives go as a whole, in the byte order of files. */
final class ArrayCodecs {
    /** Codecs of arrays of primitives, by the class of the array. */
    static final Map<Class<?>, Codec<?>> PRIMITIVE = primitive();

    private ArrayCodecs() {}

    private static Map<Class<?>, Codec<?>> primitive() {
        Map<Class<?>, Codec<?>> all = new HashMap<>();
        put(all, byte[].class, ValueLayout.JAVA_BYTE, MemorySegment::ofArray, byte[]::new);
        put(all, short[].class, ValueLayout.JAVA_SHORT, MemorySegment::ofArray, short[]::new);
        put(all, char[].class, ValueLayout.JAVA_CHAR, MemorySegment::ofArray, char[]::new);
        put(all, int[].class, ValueLayout.JAVA_INT, MemorySegment::ofArray, int[]::new);
        put(all, long[].class, ValueLayout.JAVA_LONG, MemorySegment::ofArray, long[]::new);
        put(all, float[].class, ValueLayout.JAVA_FLOAT, MemorySegment::ofArray, float[]::new);
        put(all, double[].class, ValueLayout.JAVA_DOUBLE, MemorySegment::ofArray, double[]::new);
        all.put(boolean[].class, flags());
        return Map.copyOf(all);
    }

    private static <A> void put(
            Map<Class<?>, Codec<?>> all,
            Class<A> type,
            ValueLayout element,
            Function<A, MemorySegment> memory,
            IntFunction<A> make) {
        int bytes = (int) element.byteSize();
        all.put(
                type,
                new Form<>(
                        type,
                        (array, to) -> {
                            MemorySegment elements = memory.apply(array);
                            to.writeInt((int) (elements.byteSize() / bytes));
                            to.writeElements(elements, element);
                        },
                        from -> {
                            A array = make.apply(from.readLength(bytes));
                            from.readElements(memory.apply(array), element);
                            return array;
                        }));
    }

    /** A byte each: memory cannot be seen as flags. */
    private static Codec<boolean[]> flags() {
        return new Form<>(
                boolean[].class,
                (array, to) -> {
                    byte[] bytes = new byte[array.length];
                    for (int i = 0; i < bytes.length; i++) {
                        bytes[i] = (byte) (array[i] ? 1 : 0);
                    }
                    to.writeInt(bytes.length);
                    to.writeElements(MemorySegment.ofArray(bytes), ValueLayout.JAVA_BYTE);
                },
                from -> {
                    byte[] bytes = new byte[from.readLength(1)];
                    from.readFully(bytes);
                    boolean[] array = new boolean[bytes.length];
                    for (int i = 0; i < bytes.length; i++) {
                        array[i] = bytes[i] != 0;
                    }
                    return array;
                });
    }

    /** Returns the codec of arrays of such elements; a flag says of each whether it is there. */
    static <E> Codec<?> of(Codec<E> elements) {
        return of(elements, elements.type().arrayType());
    }

    @SuppressWarnings("unchecked") // an array of the elements' class
    private static <E, A> Codec<A> of(Codec<E> elements, Class<A> type) {
        return new Form<>(
                type,
                (array, to) -> {
                    int length = Array.getLength(array);
                    to.writeInt(length);
                    for (int i = 0; i < length; i++) {
                        @Nullable E element = (E) Array.get(array, i);
                        to.writeBoolean(element != null);
                        if (element != null) {
                            elements.write(element, to);
                        }
                    }
                },
                from -> {
                    int length = from.readLength(1);
                    List<@Nullable E> read = new ArrayList<>(); // grows by the values read, not by the stored size
                    for (int i = 0; i < length; i++) {
                        read.add(from.readBoolean() ? elements.read(from) : null);
                    }
                    A array = (A) Array.newInstance(elements.type(), length);
                    for (int i = 0; i < length; i++) {
                        Array.set(array, i, read.get(i));
                    }
                    return array;
                });
    }
}
