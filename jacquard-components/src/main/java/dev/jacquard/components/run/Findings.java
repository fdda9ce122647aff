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

/**
 * Findings as bytes: texts, numbers, booleans, null, lists and maps of these, each after a tag. Nested no deeper than a
 * thousand, so that damaged bytes cannot exhaust the stack.
 */
final class Findings implements Codec<Object> {
    static final Codec<Object> CODEC = new Findings();

    private static final Codec<String> TEXT = Codecs.standard().of(String.class);
    private static final int MOST_DEPTH = 1_000;

    private Findings() {}

    @Override
    public Class<Object> type() {
        return Object.class;
    }

    @Override
    public void write(Object finding, Output to) throws IOException {
        put(finding, to, 0);
    }

    @Override
    public Object read(Input from) throws IOException {
        Object finding = get(from, 0);
        if (finding == null) {
            throw new IOException("a finding is missing");
        }
        return finding;
    }

    private static void requireDepth(int depth) throws IOException {
        if (depth > MOST_DEPTH) {
            throw new IOException("a finding is nested deeper than " + MOST_DEPTH + " lists or maps");
        }
    }

    private static void put(@Nullable Object finding, Output to, int depth) throws IOException {
        requireDepth(depth);
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
            case Short its -> put(its.intValue(), to, depth);
            case Byte its -> put(its.intValue(), to, depth);
            case Float its -> {
                to.writeByte('f');
                to.writeInt(Float.floatToRawIntBits(its));
            }
            case BigInteger its -> put(new BigDecimal(its), to, depth);
            case BigDecimal its -> {
                to.writeByte('n');
                TEXT.write(its.toString(), to);
            }
            case Map<?, ?> its -> {
                to.writeByte('m');
                to.writeInt(its.size());
                for (Map.Entry<?, ?> entry : its.entrySet()) {
                    put(String.valueOf(entry.getKey()), to, depth + 1);
                    put(entry.getValue(), to, depth + 1);
                }
            }
            case Iterable<?> its -> {
                List<@Nullable Object> all = new ArrayList<>();
                its.forEach(all::add);
                to.writeByte('s');
                to.writeInt(all.size());
                for (Object element : all) {
                    put(element, to, depth + 1);
                }
            }
            default -> {
                to.writeByte('t');
                TEXT.write(finding.toString(), to);
            }
        }
    }

    private static @Nullable Object get(Input from, int depth) throws IOException {
        requireDepth(depth);
        int tag = from.readByte();
        return switch (tag) {
            case '0' -> null;
            case 'b' -> from.readBoolean();
            case 'i' -> from.readInt();
            case 'l' -> from.readLong();
            case 'd' -> Double.longBitsToDouble(from.readLong());
            case 'm' -> map(from, depth + 1);
            case 's' -> list(from, depth + 1);
            case 'f' -> Float.intBitsToFloat(from.readInt());
            case 'n' -> decimal(TEXT.read(from));
            case 't' -> TEXT.read(from);
            default -> throw new IOException("a finding begins with the unknown tag " + tag);
        };
    }

    private static Object decimal(String text) throws IOException {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new IOException("a finding is the number '" + text + "', which is none", e);
        }
    }

    private static Object map(Input from, int depth) throws IOException {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = from.readLength(2); i > 0; i--) {
            map.put(String.valueOf(get(from, depth)), get(from, depth));
        }
        return map;
    }

    private static Object list(Input from, int depth) throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = from.readLength(1); i > 0; i--) {
            list.add(get(from, depth));
        }
        return list;
    }
}
