package dev.jacquard.base.codec;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** Bytes of a file from one place on, with a checksum. Confined to one thread at a time. */
final class CheckedInput {
    private static final int BUFFER = 1 << 18;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final MemorySegment memory = MemorySegment.ofBuffer(buffer);
    private final CRC32C sum = new CRC32C();

    /** The place of the first byte that is not in the buffer. */
    private long next;

    /** The place after the last byte that may be read. */
    private long end;

    CheckedInput(FileChannel channel) {
        this.channel = channel;
    }

    /** Reads from there on, with a new checksum. */
    void start(long offset, long bytes) {
        next = offset;
        end = offset + bytes;
        buffer.limit(0);
        sum.reset();
    }

    /** Fills a piece. The caller has seen that its bytes are left. */
    void get(MemorySegment piece) throws IOException {
        long bytes = piece.byteSize();
        for (long done = 0; done < bytes; ) {
            int count = (int) Math.min(fill(), bytes - done);
            MemorySegment.copy(memory, buffer.position(), piece, done, count);
            pass(count);
            done += count;
        }
    }

    /** Reads the rest, for its checksum alone. */
    void skip() throws IOException {
        while (buffer.hasRemaining() || next < end) {
            pass(fill());
        }
    }

    private void pass(int count) {
        int from = buffer.position();
        sum.update(buffer.slice(from, count));
        buffer.position(from + count);
    }

    private int fill() throws IOException {
        if (!buffer.hasRemaining()) {
            buffer.clear().limit((int) Math.min(BUFFER, end - next));
            int count = channel.read(buffer, next);
            buffer.flip();
            if (count <= 0) {
                throw new EOFException("the file was cut while it was read: it ends at offset " + next);
            }
            next += count;
        }
        return buffer.remaining();
    }

    /** Returns the checksum of the bytes that were read since the start. */
    int checksum() {
        return (int) sum.getValue();
    }
}
