package dev.jacquard.components.codec;

import dev.jacquard.components.component.SocketType;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The codecs of types: those of simple values, and of arrays, lists, maps and records of them; services for others. */
public final class Codecs {
    private static final Map<Class<?>, Form> SIMPLE = simple();
    /** Services, each looked for once. */
    private static final ClassValue<Optional<Form>> SERVICES = new ClassValue<>() {
        @Override
        protected Optional<Form> computeValue(Class<?> type) {
            return Optional.ofNullable(service(type));
        }
    };

    private Codecs() {}

    /** A way of writing and reading values, with types erased. */
    private interface Form {
        void write(Object value, DataOutputStream to) throws IOException;

        Object read(CodecInput from) throws IOException;
    }

    /** Writes an element. */
    private interface Writes {
        void write(Object value, DataOutputStream to) throws IOException;
    }

    /** Reads an element. */
    private interface Reads {
        Object read(CodecInput from) throws IOException;
    }

    private record Pair(Writes writes, Reads reads) implements Form {
        @Override
        public void write(Object value, DataOutputStream to) throws IOException {
            writes.write(value, to);
        }

        @Override
        public Object read(CodecInput from) throws IOException {
            return reads.read(from);
        }
    }

    /**
     * Explains why values of a type cannot be written; null if they can.
     *
     * @return the class for which there is no codec, and what would help
     */
    public static @Nullable String missing(SocketType<?> type) {
        try {
            form(type);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /**
     * Returns a value as bytes.
     *
     * @throws IllegalArgumentException if the type has no codec
     */
    public static <T> byte[] write(SocketType<T> type, T value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        form(type).write(value, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    /**
     * Writes a value as a part of another one.
     *
     * @throws IllegalArgumentException if the type has no codec
     */
    public static <T> void write(SocketType<T> type, T value, DataOutputStream to) throws IOException {
        form(type).write(value, to);
    }

    /**
     * Reads a value that was written as a part of another one.
     *
     * @throws IOException if it is none of the type, as far as that can be seen
     * @throws IllegalArgumentException if the type has no codec
     */
    @SuppressWarnings("unchecked") // the form is the type's
    public static <T> T read(SocketType<T> type, CodecInput from) throws IOException {
        Object value = form(type).read(from);
        if (!type.takes(value)) {
            throw new IOException("the bytes are no value of " + type);
        }
        return (T) value;
    }

    /**
     * Returns the value that was written to bytes.
     *
     * @throws IOException if they are not what was written, as far as that can be seen
     * @throws IllegalArgumentException if the type has no codec
     */
    public static <T> T read(SocketType<T> type, byte[] bytes) throws IOException {
        CodecInput from = new CodecInput(bytes);
        T value = read(type, from);
        if (from.available() > 0) {
            throw new IOException(from.available() + " bytes stand behind the value of " + type);
        }
        return value;
    }

    // ---- forms

    private static Form form(SocketType<?> type) {
        List<Form> arguments = new ArrayList<>();
        for (SocketType<?> argument : type.arguments()) {
            arguments.add(form(argument));
        }
        return form(type.raw(), arguments, new HashSet<>());
    }

    private static Form form(Class<?> type, List<Form> arguments, Set<Class<?>> around) {
        Form simple = SIMPLE.get(type);
        if (simple != null) {
            return simple;
        }
        if (type == List.class) {
            return list(arguments.getFirst());
        }
        if (type == Map.class) {
            return map(arguments.getFirst(), arguments.getLast());
        }
        if (type.isEnum()) {
            return constants(type);
        }
        Optional<Form> service = SERVICES.get(type);
        if (service.isPresent()) {
            return service.get();
        }
        if (type.isRecord() && Modifier.isPublic(type.getModifiers()) && around.add(type)) {
            Form record = record(type, around);
            around.remove(type);
            return record;
        }
        throw new IllegalArgumentException("there is no codec for " + type.getName()
                + "; expected a box of a primitive, a text, an array of primitives, an enum, a list, a map or a public"
                + " record of these, or a service " + Codec.class.getName() + " for it");
    }

    private static Form form(Type type, Set<Class<?>> around) {
        if (type instanceof Class<?> its && its.getTypeParameters().length == 0) {
            return form(its, List.of(), around);
        }
        if (type instanceof ParameterizedType its && its.getRawType() instanceof Class<?> raw) {
            List<Form> arguments = new ArrayList<>();
            for (Type argument : its.getActualTypeArguments()) {
                arguments.add(form(argument, around));
            }
            return form(raw, arguments, around);
        }
        throw new IllegalArgumentException(
                "there is no codec for " + type + "; expected a class whose values are known");
    }

    private static Form list(Form elements) {
        return new Pair(
                (value, to) -> {
                    List<?> list = (List<?>) value;
                    to.writeInt(list.size());
                    for (Object element : list) {
                        elements.write(element, to);
                    }
                },
                from -> {
                    int length = from.readLength(1);
                    List<Object> list = new ArrayList<>();
                    for (int i = 0; i < length; i++) {
                        list.add(elements.read(from));
                    }
                    return List.copyOf(list);
                });
    }

    private static Form map(Form keys, Form values) {
        return new Pair(
                (value, to) -> {
                    Map<?, ?> map = (Map<?, ?>) value;
                    to.writeInt(map.size());
                    for (Map.Entry<?, ?> entry : map.entrySet()) {
                        keys.write(entry.getKey(), to);
                        values.write(entry.getValue(), to);
                    }
                },
                from -> {
                    int length = from.readLength(1);
                    Map<Object, Object> map = new LinkedHashMap<>();
                    for (int i = 0; i < length; i++) {
                        map.put(keys.read(from), values.read(from));
                    }
                    return map;
                });
    }

    private static Form constants(Class<?> type) {
        Form text = text();
        return new Pair((value, to) -> text.write(((Enum<?>) value).name(), to), from -> {
            Object name = text.read(from);
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> ((Enum<?>) constant).name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IOException(type.getName() + " has no constant " + name));
        });
    }

    private static Form record(Class<?> type, Set<Class<?>> around) {
        RecordComponent[] components = type.getRecordComponents();
        Form[] forms = new Form[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            forms[i] = form(components[i].getGenericType(), around);
        }
        return new Pair(
                (value, to) -> {
                    for (int i = 0; i < components.length; i++) {
                        forms[i].write(get(components[i], value), to);
                    }
                },
                from -> {
                    Object[] values = new Object[components.length];
                    for (int i = 0; i < components.length; i++) {
                        values[i] = forms[i].read(from);
                    }
                    return make(type, types, values);
                });
    }

    private static Object get(RecordComponent component, Object of) throws IOException {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IOException("the component '" + component.getName() + "' of a record cannot be read", e);
        }
    }

    private static Object make(Class<?> type, Class<?>[] types, Object[] values) throws IOException {
        try {
            Constructor<?> canonical = type.getConstructor(types);
            return canonical.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IOException("a record " + type.getName() + " cannot be made of what was read", e);
        }
    }

    @SuppressWarnings("unchecked") // it writes that class
    private static @Nullable Form service(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        for (Codec<?> codec : ServiceLoader.load(Codec.class, loader == null ? Codec.class.getClassLoader() : loader)) {
            if (codec.type() == type) {
                Codec<Object> its = (Codec<Object>) codec;
                return new Pair(its::write, its::read);
            }
        }
        return null;
    }

    // ---- simple values

    private static Map<Class<?>, Form> simple() {
        Map<Class<?>, Form> forms = new HashMap<>();
        put(forms, boolean.class, Boolean.class, 1, (v, to) -> to.writeBoolean((Boolean) v), CodecInput::readBoolean);
        put(forms, byte.class, Byte.class, 1, (v, to) -> to.writeByte((Byte) v), CodecInput::readByte);
        put(forms, short.class, Short.class, 2, (v, to) -> to.writeShort((Short) v), CodecInput::readShort);
        put(forms, char.class, Character.class, 2, (v, to) -> to.writeChar((Character) v), CodecInput::readChar);
        put(forms, int.class, Integer.class, 4, (v, to) -> to.writeInt((Integer) v), CodecInput::readInt);
        put(forms, long.class, Long.class, 8, (v, to) -> to.writeLong((Long) v), CodecInput::readLong);
        put(
                forms,
                float.class,
                Float.class,
                4,
                (v, to) -> to.writeInt(Float.floatToRawIntBits((Float) v)),
                from -> Float.intBitsToFloat(from.readInt()));
        put(
                forms,
                double.class,
                Double.class,
                8,
                (v, to) -> to.writeLong(Double.doubleToRawLongBits((Double) v)),
                from -> Double.longBitsToDouble(from.readLong()));
        forms.put(String.class, text());
        return Map.copyOf(forms);
    }

    private static void put(
            Map<Class<?>, Form> forms, Class<?> primitive, Class<?> box, int bytes, Writes writes, Reads reads) {
        Form form = new Pair(writes, reads);
        forms.put(primitive, form);
        forms.put(box, form);
        forms.put(
                primitive.arrayType(),
                new Pair(
                        (value, to) -> {
                            int length = Array.getLength(value);
                            to.writeInt(length);
                            for (int i = 0; i < length; i++) {
                                writes.write(Array.get(value, i), to);
                            }
                        },
                        from -> {
                            int length = from.readLength(bytes);
                            Object array = Array.newInstance(primitive, length);
                            for (int i = 0; i < length; i++) {
                                Array.set(array, i, reads.read(from));
                            }
                            return array;
                        }));
    }

    /** Texts longer than those that {@code writeUTF} takes, too. */
    private static Form text() {
        return new Pair(
                (value, to) -> {
                    byte[] bytes = ((String) value).getBytes(StandardCharsets.UTF_8);
                    to.writeInt(bytes.length);
                    to.write(bytes);
                },
                from -> {
                    byte[] bytes = new byte[from.readLength(1)];
                    from.readFully(bytes);
                    return new String(bytes, StandardCharsets.UTF_8);
                });
    }
}
