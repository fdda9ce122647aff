package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An image file directory: tags and their whole-number values or texts, as chapter 2 of the TIFF 6.0 specification lays
 * them out, or with the 64-bit counts and offsets of BigTIFF. Only reads requested values; every read is checked
 * against the file's length.
 */
final class TiffDirectory {
    /** More pages than any file of tiles has: a chain that is this long is damaged. */
    private static final int MOST_PAGES = 1_000_000;

    private static final int MOST_TEXT = 1 << 24;

    private final TiffWindow window;
    private final Map<Integer, Entry> entries = new HashMap<>();
    /** Where the next directory is; 0 if this is the last. */
    private long next;

    /**
     * One tag.
     *
     * @param type the specification's number of the value type
     * @param count how many values
     * @param at where the entry's value field lies in the file
     */
    private record Entry(int type, long count, long at) {}

    private TiffDirectory(TiffWindow window) {
        this.window = window;
    }

    /** Reads the directories of all pages. */
    static List<TiffDirectory> readAll(TiffWindow window) throws IOException {
        List<TiffDirectory> pages = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        for (long at = window.first(); at != 0; at = pages.getLast().next) {
            if (!seen.add(at) || pages.size() == MOST_PAGES) {
                throw window.damaged("its pages refer to each other in a circle");
            }
            TiffDirectory page = new TiffDirectory(window);
            page.readEntries(at);
            pages.add(page);
        }
        if (pages.isEmpty()) {
            throw window.damaged("it has no page");
        }
        return pages;
    }

    boolean has(int tag) {
        return entries.containsKey(tag);
    }

    /** Returns the number of values of {@code tag}; 0 if the file does not have it. */
    long count(int tag) {
        Entry entry = entries.get(tag);
        return entry == null ? 0 : entry.count;
    }

    /** The one value of {@code tag}, or {@code otherwise} if the file does not have it. */
    long value(int tag, long otherwise) throws IOException {
        Entry entry = entries.get(tag);
        return entry == null || entry.count == 0 ? otherwise : value(entry, tag, 0);
    }

    /** The first {@code count} values of {@code tag}; null if the file does not have it, or fewer. */
    long @Nullable [] values(int tag, int count) throws IOException {
        Entry entry = entries.get(tag);
        if (entry == null || entry.count < count) {
            return null;
        }
        valueAt(entry, tag, count - 1); // a damaged count must not cost memory
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = value(entry, tag, i);
        }
        return values;
    }

    /** The text of {@code tag}; empty if the file has none, or one of more than 16 MiB. */
    String text(int tag) throws IOException {
        Entry entry = entries.get(tag);
        if (entry == null || entry.type != 2 || entry.count > MOST_TEXT) {
            return "";
        }
        byte[] bytes = window.copy(valueAt(entry, 1), (int) entry.count);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private void readEntries(long at) throws IOException {
        boolean big = window.isBig();
        int countBytes = big ? 8 : 2;
        ByteBuffer head = window.at(at, countBytes);
        long count = big ? head.getLong(window.position(at)) : Short.toUnsignedInt(head.getShort(window.position(at)));
        if (count <= 0 || count > 0xFFFF) {
            throw window.damaged(
                    count == 0
                            ? "its directory is empty"
                            : "its directory has " + Long.toUnsignedString(count) + " entries");
        }
        int entryBytes = big ? 20 : 12;
        for (int i = 0; i < count; i++) {
            long start = at + countBytes + (long) i * entryBytes;
            ByteBuffer bytes = window.at(start, entryBytes);
            int position = window.position(start);
            int tag = Short.toUnsignedInt(bytes.getShort(position));
            int type = Short.toUnsignedInt(bytes.getShort(position + 2));
            long values = big ? bytes.getLong(position + 4) : Integer.toUnsignedLong(bytes.getInt(position + 4));
            if (values < 0) {
                throw window.damaged("tag " + tag + " has " + Long.toUnsignedString(values) + " values");
            }
            entries.putIfAbsent(tag, new Entry(type, values, start + (big ? 12 : 8)));
        }
        long end = at + countBytes + count * entryBytes;
        // Some writers end the file here.
        next = end + (big ? 8 : 4) > window.length() ? 0 : window.offset(end);
    }

    /** Returns where value {@code index} of an entry with values of {@code size} bytes is. */
    private long valueAt(Entry entry, int size) throws IOException {
        boolean isInside = entry.count <= (window.isBig() ? 8 : 4) / size;
        return isInside ? entry.at : window.offset(entry.at);
    }

    private void valueAt(Entry entry, int tag, int index) throws IOException {
        int size = size(entry.type, tag);
        ByteBuffer _ = window.at(valueAt(entry, size) + (long) index * size, size);
    }

    private long value(Entry entry, int tag, int index) throws IOException {
        int size = size(entry.type, tag);
        long at = valueAt(entry, size) + (long) index * size;
        ByteBuffer bytes = window.at(at, size);
        int position = window.position(at);
        return switch (entry.type) {
            case 1 -> Byte.toUnsignedLong(bytes.get(position));
            case 6 -> bytes.get(position);
            case 3 -> Short.toUnsignedLong(bytes.getShort(position));
            case 8 -> bytes.getShort(position);
            case 4, 13 -> Integer.toUnsignedLong(bytes.getInt(position));
            case 9 -> bytes.getInt(position);
            default -> bytes.getLong(position);
        };
    }

    private int size(int type, int tag) throws IOException {
        return switch (type) {
            case 1, 6 -> 1;
            case 3, 8 -> 2;
            case 4, 9, 13 -> 4;
            case 16, 17, 18 -> 8;
            default -> throw window.damaged("tag " + tag + " is of type " + type + ", not a whole number");
        };
    }

    ImageFormatException damaged(String reason) {
        return window.damaged(reason);
    }
}
