package dev.jacquard.base.codec;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/**
 * Bytes on their way to a channel, with a checksum. Memory of any kind and size goes through one buffer, so that the
 * channel gets large pieces, and the checksum finds them in the cache. Confined to one thread at a time.
 */
final class CheckedOutput {
    private static final int BUFFER = 1 << 18;

    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final MemorySegment memory = MemorySegment.ofBuffer(buffer);
    private final CRC32C sum = new CRC32C();

    CheckedOutput(WritableByteChannel channel) {
        this.channel = channel;
    }

    void put(MemorySegment piece) throws IOException {
        long bytes = piece.byteSize();
        for (long done = 0; done < bytes; ) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            int from = buffer.position();
            int count = (int) Math.min(buffer.remaining(), bytes - done);
            MemorySegment.copy(piece, done, memory, from, count);
            buffer.position(from + count);
            sum.update(buffer.slice(from, count));
            done += count;
        }
    }

    void put(ByteBuffer bytes) throws IOException {
        put(MemorySegment.ofBuffer(bytes));
    }

    /** Returns the checksum of what was put since the last call. */
    int checksum() {
        int checksum = (int) sum.getValue();
        sum.reset();
        return checksum;
    }

    /** Brings all to the channel. */
    void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }
}
