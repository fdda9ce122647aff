package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes what reports hold: texts, numbers, booleans, null, lists and maps of these. */
final class ReportValues {
    private static final Codec<String> TEXT = Codecs.standard().of(String.class);

    private ReportValues() {}

    static void write(@Nullable Object value, Codec.Output to) throws IOException {
        switch (value) {
            case null -> to.writeByte('0');
            case Boolean its -> {
                to.writeByte('z');
                to.writeBoolean(its);
            }
            case Byte its -> {
                to.writeByte('b');
                to.writeByte(its);
            }
            case Short its -> {
                to.writeByte('s');
                to.writeShort(its);
            }
            case Integer its -> {
                to.writeByte('i');
                to.writeInt(its);
            }
            case Long its -> {
                to.writeByte('l');
                to.writeLong(its);
            }
            case Float its -> {
                to.writeByte('f');
                to.writeFloat(its);
            }
            case Double its -> {
                to.writeByte('d');
                to.writeDouble(its);
            }
            case BigInteger its -> text('I', its.toString(), to);
            case BigDecimal its -> text('D', its.toString(), to);
            case Map<?, ?> map -> {
                to.writeByte('m');
                to.writeInt(map.size());
                for (Map.Entry<?, ?> each : map.entrySet()) {
                    TEXT.write(String.valueOf(each.getKey()), to);
                    write(each.getValue(), to);
                }
            }
            case Iterable<?> all -> {
                List<@Nullable Object> items = new ArrayList<>();
                all.forEach(items::add);
                to.writeByte('L');
                to.writeInt(items.size());
                for (Object each : items) {
                    write(each, to);
                }
            }
            default -> text('t', value.toString(), to);
        }
    }

    private static void text(char kind, String text, Codec.Output to) throws IOException {
        to.writeByte(kind);
        TEXT.write(text, to);
    }

    static @Nullable Object read(Codec.Input from) throws IOException {
        int kind = from.readUnsignedByte();
        return switch (kind) {
            case '0' -> null;
            case 'z' -> from.readBoolean();
            case 'b' -> from.readByte();
            case 's' -> from.readShort();
            case 'i' -> from.readInt();
            case 'l' -> from.readLong();
            case 'f' -> from.readFloat();
            case 'd' -> from.readDouble();
            case 'I' -> new BigInteger(TEXT.read(from));
            case 'D' -> new BigDecimal(TEXT.read(from));
            case 't' -> TEXT.read(from);
            case 'm' -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                int size = from.readLength(2);
                for (int i = 0; i < size; i++) {
                    String key = TEXT.read(from);
                    map.put(key, read(from));
                }
                yield map;
            }
            case 'L' -> {
                List<@Nullable Object> list = new ArrayList<>();
                int size = from.readLength(1);
                for (int i = 0; i < size; i++) {
                    list.add(read(from));
                }
                yield list;
            }
            default -> throw new IOException("a value of a report has the unknown kind " + kind);
        };
    }
}
