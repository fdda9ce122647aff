package dev.jacquard.base.codec;

import dev.jacquard.base.codec.CheckpointWriter.Transfer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Bytes in pieces: small ones are gathered, large ones referred to where they are. Confined to a thread. */
final class PiecedOutput extends OutputStream {
    /** Memory from that number of bytes on is a separate piece. */
    private static final int LARGE = 1 << 12;

    private static final int MOST_GATHERED = 1 << 18;

    private final List<MemorySegment> pieces = new ArrayList<>();
    private long done;
    private byte[] gathered = new byte[64];
    private int count;

    @Override
    public void write(int b) {
        reserve(1);
        gathered[count++] = (byte) b;
    }

    /** Copies the bytes: the caller may use the array again. */
    @Override
    public void write(byte[] bytes, int from, int length) {
        if (length >= LARGE) {
            seal();
            piece(MemorySegment.ofArray(Arrays.copyOfRange(bytes, from, from + length)));
        } else {
            reserve(length);
            System.arraycopy(bytes, from, gathered, count, length);
            count += length;
        }
    }

    /** Takes memory, which may be referred to. */
    void add(MemorySegment memory) {
        if (memory.byteSize() >= LARGE) {
            seal();
            piece(memory);
        } else {
            int length = (int) memory.byteSize();
            reserve(length);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, gathered, count, length);
            count += length;
        }
    }

    private void reserve(int more) {
        if (count + more > MOST_GATHERED) {
            seal();
        }
        if (count + more > gathered.length) {
            gathered = Arrays.copyOf(gathered, Math.max(count + more, 2 * gathered.length));
        }
    }

    private void seal() {
        if (count > 0) {
            piece(MemorySegment.ofArray(Arrays.copyOf(gathered, count)));
            count = 0;
        }
    }

    private void piece(MemorySegment memory) {
        pieces.add(memory);
        done += memory.byteSize();
    }

    long length() {
        return done + count;
    }

    void each(Transfer transfer) throws IOException {
        for (MemorySegment piece : pieces) {
            transfer.move(piece);
        }
        transfer.move(MemorySegment.ofArray(gathered).asSlice(0, count));
    }

    /** Returns elements in the byte order of files: the memory itself if that is the machine's. */
    static MemorySegment littleEndian(MemorySegment elements, ValueLayout type) {
        if (isLittleEndian(type)) {
            return elements;
        }
        MemorySegment copy = MemorySegment.ofArray(new byte[Math.toIntExact(elements.byteSize())]);
        swap(elements, type, copy, type.withOrder(ByteOrder.LITTLE_ENDIAN));
        return copy;
    }

    /** Returns true if elements are in the byte order of files on this machine. */
    static boolean isLittleEndian(ValueLayout type) {
        return type.byteSize() == 1 || ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    }

    /** Copies elements from one byte order to another; from and to may be the same memory. */
    static void swap(MemorySegment from, ValueLayout its, MemorySegment to, ValueLayout other) {
        MemorySegment.copy(
                from, its.withByteAlignment(1), 0, to, other.withByteAlignment(1), 0, from.byteSize() / its.byteSize());
    }
}
