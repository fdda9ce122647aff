package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The structure of a TIFF, read through a window of some KiB: its first bytes, and the bytes that they refer to. Every
 * read is checked against the file's length.
 */
final class TiffWindow {
    /** A directory usually lies next to the header: one read of this many bytes brings both. */
    private static final int WINDOW_BYTES = 4096;

    private final Path file;
    private final FileChannel channel;
    private final long length;
    private final boolean big;
    private final long first;
    private ByteBuffer window = ByteBuffer.allocate(0);
    private long windowStart;

    /** Reads the header of the file. */
    TiffWindow(Path file, FileChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        this.length = channel.size();
        if (length < 8) {
            throw damaged("not a TIFF: it has " + length + " bytes");
        }
        ByteBuffer header = at(0, 8);
        int mark = header.getShort(0);
        if (mark != 0x4949 && mark != 0x4D4D) {
            throw damaged("not a TIFF: it does not start with II or MM");
        }
        window.order(mark == 0x4949 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int version = Short.toUnsignedInt(header.getShort(2));
        if (version != 42 && version != 43) {
            throw damaged("not a TIFF: its version is " + version + ", not 42 or 43");
        }
        this.big = version == 43;
        if (big && header.getShort(4) != 8) {
            throw damaged("its offsets have " + Short.toUnsignedInt(header.getShort(4)) + " bytes, not 8");
        }
        this.first = offset(big ? 8 : 4);
    }

    Path file() {
        return file;
    }

    long length() {
        return length;
    }

    ByteOrder order() {
        return window.order();
    }

    /** Returns true for a BigTIFF, with counts and offsets of 64 bits. */
    boolean isBig() {
        return big;
    }

    /** Returns where the first directory is. */
    long first() {
        return first;
    }

    /** Reads the offset at {@code at}. */
    long offset(long at) throws IOException {
        return big
                ? at(at, 8).getLong(position(at))
                : Integer.toUnsignedLong(at(at, 4).getInt(position(at)));
    }

    byte[] copy(long at, int count) throws IOException {
        byte[] bytes = new byte[(int) Math.min(count, check(at, count))];
        for (int done = 0; done < count; ) {
            int step = Math.min(WINDOW_BYTES, count - done);
            at(at + done, step).get(position(at + done), bytes, done, step);
            done += step;
        }
        return bytes;
    }

    /** The window over the file, moved if necessary so that it has {@code count} bytes from {@code at} on. */
    ByteBuffer at(long at, int count) throws IOException {
        long _ = check(at, count);
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

    /** Returns the place of byte {@code at} of the file in the window. */
    int position(long at) {
        return (int) (at - windowStart);
    }

    private long check(long at, int count) throws ImageFormatException {
        if (at < 0 || at > length - count) {
            String byteThere = at < 0 ? Long.toUnsignedString(at) : String.valueOf(at + count);
            throw damaged("truncated: its header refers to byte " + byteThere + " of " + length);
        }
        return count;
    }

    ImageFormatException damaged(String reason) {
        return new ImageFormatException(file, reason);
    }
}
