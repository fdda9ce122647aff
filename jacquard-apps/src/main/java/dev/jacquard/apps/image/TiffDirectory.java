package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first image file directory of a TIFF: tags and their whole-number values, as chapter 2 of the TIFF 6.0
 * specification lays them out. Only reads requested values; every read is checked against the file's length.
 */
final class TiffDirectory {
    private static final int ENTRY_BYTES = 12;
    private static final int VALUE_BYTES = 4;
    /** A directory usually lies next to the header: one read of this many bytes brings both. */
    private static final int WINDOW_BYTES = 4096;

    private final Path file;
    private final FileChannel channel;
    private final long length;
    private final Map<Integer, Entry> entries = new HashMap<>();
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowStart;

    /**
     * One tag.
     *
     * @param type the specification's number of the value type
     * @param count how many values
     * @param at where the entry's value field lies in the file
     */
    private record Entry(int type, long count, long at) {}

    private TiffDirectory(Path file, FileChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        this.length = channel.size();
    }

    static TiffDirectory read(Path file, FileChannel channel) throws IOException {
        TiffDirectory directory = new TiffDirectory(file, channel);
        directory.readEntries(directory.findFirst());
        return directory;
    }

    ByteOrder order() {
        return window.order();
    }

    long fileLength() {
        return length;
    }

    boolean has(int tag) {
        return entries.containsKey(tag);
    }

    /** The one value of {@code tag}, or {@code otherwise} if the file does not have it. */
    long value(int tag, long otherwise) throws IOException {
        Entry entry = entries.get(tag);
        return entry == null || entry.count == 0 ? otherwise : value(entry, tag, 0);
    }

    /** All values of {@code tag}, or null if the file does not have it; no more than {@code most}. */
    long @Nullable [] values(int tag, int most) throws IOException {
        Entry entry = entries.get(tag);
        if (entry == null) {
            return null;
        }
        if (entry.count > most) {
            throw damaged("tag " + tag + " has " + entry.count + " values where at most " + most + " make sense");
        }
        long[] values = new long[(int) entry.count];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(entry, tag, i);
        }
        return values;
    }

    private long findFirst() throws IOException {
        if (length < 8) {
            throw new ImageFormatException(file, "not a TIFF: it has " + length + " bytes");
        }
        ByteBuffer header = at(0, 8);
        int start = header.position();
        int mark = header.getShort(start);
        if (mark != 0x4949 && mark != 0x4D4D) {
            throw new ImageFormatException(file, "not a TIFF: it does not start with II or MM");
        }
        window.order(mark == 0x4949 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int version = header.getShort(start + 2);
        if (version == 43) {
            throw new ImageFormatException(file, "a BigTIFF; only classic TIFF is read");
        }
        if (version != 42) {
            throw new ImageFormatException(file, "not a TIFF: its version is " + version + ", not 42");
        }
        return Integer.toUnsignedLong(header.getInt(start + 4));
    }

    private void readEntries(long at) throws IOException {
        int count = Short.toUnsignedInt(at(at, 2).getShort(position(at)));
        if (count == 0) {
            throw damaged("its directory is empty");
        }
        for (int i = 0; i < count; i++) {
            long start = at + 2 + (long) i * ENTRY_BYTES;
            ByteBuffer bytes = at(start, ENTRY_BYTES);
            int position = position(start);
            int tag = Short.toUnsignedInt(bytes.getShort(position));
            int type = Short.toUnsignedInt(bytes.getShort(position + 2));
            long values = Integer.toUnsignedLong(bytes.getInt(position + 4));
            entries.putIfAbsent(tag, new Entry(type, values, start + 8));
        }
    }

    private long value(Entry entry, int tag, int index) throws IOException {
        int size = size(entry.type, tag);
        long at = entry.at;
        if (entry.count * size > VALUE_BYTES) {
            at = Integer.toUnsignedLong(at(entry.at, VALUE_BYTES).getInt(position(entry.at)));
        }
        at += (long) index * size;
        ByteBuffer bytes = at(at, size);
        int position = position(at);
        return switch (size) {
            case 1 -> Byte.toUnsignedLong(bytes.get(position));
            case 2 -> Short.toUnsignedLong(bytes.getShort(position));
            default -> Integer.toUnsignedLong(bytes.getInt(position));
        };
    }

    private int size(int type, int tag) throws IOException {
        return switch (type) {
            case 1 -> 1;
            case 3 -> 2;
            case 4 -> 4;
            default -> throw damaged("tag " + tag + " is of type " + type + ", not a whole number");
        };
    }

    /** The window over the file, moved if necessary so that it has {@code count} bytes from {@code at} on. */
    private ByteBuffer at(long at, int count) throws IOException {
        if (at + count > length) {
            throw damaged("truncated: its header refers to byte " + (at + count) + " of " + length);
        }
        if (at < windowStart || at + count > windowStart + window.limit()) {
            ByteOrder order = window.order();
            window = ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, length - at))
                    .order(order);
            windowStart = at;
            while (window.hasRemaining() && channel.read(window, at + window.position()) >= 0) {}
            window.flip();
            if (window.limit() < count) {
                throw damaged("truncated while it was read");
            }
        }
        return window;
    }

    private int position(long at) {
        return (int) (at - windowStart);
    }

    private ImageFormatException damaged(String reason) {
        return new ImageFormatException(file, reason);
    }
}
