package dev.jacquard.base.codec;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Bytes on their way to a channel. Memory of any kind and size goes through one buffer, so that the channel gets large
 * pieces. Confined to one thread at a time.
 */
class BufferedOutput {
    private static final int BUFFER = 1 << 18;

    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final MemorySegment memory = MemorySegment.ofBuffer(buffer);

    BufferedOutput(WritableByteChannel channel) {
        this.channel = channel;
    }

    final void put(MemorySegment piece) throws IOException {
        long bytes = piece.byteSize();
        for (long done = 0; done < bytes; ) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            int from = buffer.position();
            int count = (int) Math.min(buffer.remaining(), bytes - done);
            MemorySegment.copy(piece, done, memory, from, count);
            buffer.position(from + count);
            passed(buffer.slice(from, count));
            done += count;
        }
    }

    final void put(ByteBuffer bytes) throws IOException {
        put(MemorySegment.ofBuffer(bytes));
    }

    /** Looks at bytes that were put, while the processor's cache has them. */
    void passed(ByteBuffer bytes) {}

    /** Brings all to the channel. */
    final void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }
}
