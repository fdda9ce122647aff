package dev.jacquard.base.codec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The codecs of simple values, and of lists and maps. */
final class ValueCodecs {
    private static final Codec<String> TEXT = text();
    /** By the class of the values, and by the primitive class of boxes. */
    static final Map<Class<?>, Codec<?>> SIMPLE = simple();

    private ValueCodecs() {}

    private static Map<Class<?>, Codec<?>> simple() {
        Map<Class<?>, Codec<?>> all = new HashMap<>();
        put(all, boolean.class, Boolean.class, (v, to) -> to.writeBoolean(v), Codec.Input::readBoolean);
        put(all, byte.class, Byte.class, (v, to) -> to.writeByte(v), Codec.Input::readByte);
        put(all, short.class, Short.class, (v, to) -> to.writeShort(v), Codec.Input::readShort);
        put(all, char.class, Character.class, (v, to) -> to.writeChar(v), Codec.Input::readChar);
        put(all, int.class, Integer.class, (v, to) -> to.writeInt(v), Codec.Input::readInt);
        put(all, long.class, Long.class, (v, to) -> to.writeLong(v), Codec.Input::readLong);
        put(
                all,
                float.class,
                Float.class,
                (v, to) -> to.writeInt(Float.floatToRawIntBits(v)),
                from -> Float.intBitsToFloat(from.readInt()));
        put(
                all,
                double.class,
                Double.class,
                (v, to) -> to.writeLong(Double.doubleToRawLongBits(v)),
                from -> Double.longBitsToDouble(from.readLong()));
        all.put(String.class, TEXT);
        return Map.copyOf(all);
    }

    private static <T> void put(
            Map<Class<?>, Codec<?>> all, Class<?> primitive, Class<T> box, Form.Writes<T> writes, Form.Reads<T> reads) {
        Codec<T> codec = new Form<>(box, writes, reads);
        all.put(primitive, codec);
        all.put(box, codec);
    }

    /** Texts longer than {@code writeUTF} takes, too. */
    private static Codec<String> text() {
        return new Form<>(
                String.class,
                (value, to) -> {
                    byte[] bytes = Utf8.bytes(value);
                    to.writeInt(bytes.length);
                    to.write(bytes);
                },
                from -> {
                    byte[] bytes = new byte[from.readLength(1)];
                    from.readFully(bytes);
                    return new String(bytes, StandardCharsets.UTF_8);
                });
    }

    /** Returns a codec for values that are known to be its own. */
    @SuppressWarnings("unchecked")
    static Codec<Object> erased(Codec<?> codec) {
        return (Codec<Object>) codec;
    }

    static Codec<?> list(Codec<?> elements) {
        Codec<Object> its = erased(elements);
        return new Form<>(
                List.class,
                (list, to) -> {
                    to.writeInt(list.size());
                    for (Object element : list) {
                        its.write(Form.present(element, "an element of a list"), to);
                    }
                },
                from -> {
                    int length = from.readLength(1);
                    List<Object> list = new ArrayList<>();
                    for (int i = 0; i < length; i++) {
                        list.add(its.read(from));
                    }
                    return list;
                });
    }

    static Codec<?> map(Codec<?> keys, Codec<?> values) {
        Codec<Object> of = erased(keys);
        Codec<Object> to = erased(values);
        return new Form<>(
                Map.class,
                (map, out) -> {
                    out.writeInt(map.size());
                    for (Object entry : map.entrySet()) {
                        Map.Entry<?, ?> its = (Map.Entry<?, ?>) entry;
                        of.write(Form.present(its.getKey(), "a key of a map"), out);
                        to.write(Form.present(its.getValue(), "a value of a map"), out);
                    }
                },
                from -> {
                    int length = from.readLength(2);
                    Map<Object, Object> map = new LinkedHashMap<>();
                    for (int i = 0; i < length; i++) {
                        map.put(of.read(from), to.read(from));
                    }
                    return map;
                });
    }

    static <T> Codec<T> constants(Class<T> type) {
        return new Form<>(type, (value, to) -> TEXT.write(((Enum<?>) value).name(), to), from -> {
            String name = TEXT.read(from);
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> ((Enum<?>) constant).name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IOException(type.getName() + " has no constant " + name));
        });
    }
}
