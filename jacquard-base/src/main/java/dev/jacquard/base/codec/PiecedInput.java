package dev.jacquard.base.codec;

import dev.jacquard.base.codec.CheckpointWriter.Transfer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A number of bytes from where they come in pieces of any size: small reads are gathered. Confined to a thread. */
final class PiecedInput extends InputStream {
    private static final int GATHERED = 1 << 13;

    private final Transfer from;
    /** The number of bytes that were not taken from there. */
    private long outside;

    private final byte[] gathered;
    private int next;
    private int end;

    /** @param from fills each piece that it is given with the next bytes */
    PiecedInput(Transfer from, long length) {
        this.from = from;
        this.outside = length;
        this.gathered = new byte[(int) Math.min(GATHERED, length)];
    }

    long left() {
        return outside + end - next;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, left());
    }

    @Override
    public int read() throws IOException {
        if (left() == 0) {
            return -1;
        }
        gather();
        return Byte.toUnsignedInt(gathered[next++]);
    }

    @Override
    public int read(byte[] bytes, int at, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int count = (int) Math.min(length, left());
        if (count == 0) {
            return -1;
        }
        fill(MemorySegment.ofArray(bytes).asSlice(at, count));
        return count;
    }

    /**
     * Fills memory.
     *
     * @throws EOFException if there are not as many bytes
     */
    void fill(MemorySegment memory) throws IOException {
        long bytes = memory.byteSize();
        if (bytes > left()) {
            throw new EOFException(bytes + " bytes are expected, and " + left() + " follow");
        }
        for (long done = 0; done < bytes; ) {
            if (next == end && bytes - done >= gathered.length) {
                from.move(memory.asSlice(done));
                outside -= bytes - done;
                return;
            }
            gather();
            int count = (int) Math.min(end - next, bytes - done);
            MemorySegment.copy(gathered, next, memory, ValueLayout.JAVA_BYTE, done, count);
            next += count;
            done += count;
        }
    }

    private void gather() throws IOException {
        if (next == end) {
            int count = (int) Math.min(gathered.length, outside);
            from.move(MemorySegment.ofArray(gathered).asSlice(0, count));
            outside -= count;
            next = 0;
            end = count;
        }
    }

    /** Changes elements in the byte order of files to the machine's. */
    static void ofLittleEndian(MemorySegment elements, ValueLayout type) {
        if (!PiecedOutput.isLittleEndian(type)) {
            PiecedOutput.swap(elements, type.withOrder(ByteOrder.LITTLE_ENDIAN), elements, type);
        }
    }
}
