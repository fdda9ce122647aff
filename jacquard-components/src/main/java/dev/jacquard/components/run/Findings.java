package dev.jacquard.components.run;

import dev.jacquard.components.codec.CodecInput;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Findings as bytes: texts, numbers, booleans, null, lists and maps of these, each behind a tag. */
final class Findings {
    private Findings() {}

    static byte[] write(Object finding) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(finding, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static void write(@Nullable Object finding, DataOutputStream to) throws IOException {
        switch (finding) {
            case null -> to.writeByte('0');
            case Boolean its -> {
                to.writeByte('b');
                to.writeBoolean(its);
            }
            case Integer its -> {
                to.writeByte('i');
                to.writeInt(its);
            }
            case Long its -> {
                to.writeByte('l');
                to.writeLong(its);
            }
            case Double its -> {
                to.writeByte('d');
                to.writeLong(Double.doubleToRawLongBits(its));
            }
            case Map<?, ?> its -> {
                to.writeByte('m');
                to.writeInt(its.size());
                for (Map.Entry<?, ?> entry : its.entrySet()) {
                    write(String.valueOf(entry.getKey()), to);
                    write(entry.getValue(), to);
                }
            }
            case Iterable<?> its -> {
                List<@Nullable Object> all = new ArrayList<>();
                its.forEach(all::add);
                to.writeByte('s');
                to.writeInt(all.size());
                for (Object element : all) {
                    write(element, to);
                }
            }
            default -> {
                to.writeByte('t');
                byte[] text = finding.toString().getBytes(StandardCharsets.UTF_8);
                to.writeInt(text.length);
                to.write(text);
            }
        }
    }

    static @Nullable Object read(byte[] bytes) throws IOException {
        return read(new CodecInput(bytes));
    }

    private static @Nullable Object read(CodecInput from) throws IOException {
        int tag = from.readByte();
        return switch (tag) {
            case '0' -> null;
            case 'b' -> from.readBoolean();
            case 'i' -> from.readInt();
            case 'l' -> from.readLong();
            case 'd' -> Double.longBitsToDouble(from.readLong());
            case 'm' -> map(from);
            case 's' -> list(from);
            case 't' -> {
                byte[] text = new byte[from.readLength(1)];
                from.readFully(text);
                yield new String(text, StandardCharsets.UTF_8);
            }
            default -> throw new IOException("a finding begins with the unknown tag " + tag);
        };
    }

    private static Object map(CodecInput from) throws IOException {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = from.readLength(2); i > 0; i--) {
            map.put(String.valueOf(read(from)), read(from));
        }
        return map;
    }

    private static Object list(CodecInput from) throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = from.readLength(1); i > 0; i--) {
            list.add(read(from));
        }
        return list;
    }
}
