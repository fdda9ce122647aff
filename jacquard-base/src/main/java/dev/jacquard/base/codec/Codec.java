package dev.jacquard.base.codec;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Writes values of a type and reads them again. Named as a service, it is used for values of its type; {@link Codecs}
 * has the codecs of simple types, which it can use for the parts of its values.
 *
 * <p>Threads: any number at a time.
 *
 * @param <T> the values
 */
public interface Codec<T> {
    /** The class of the values that it writes; no others, not even of subclasses. */
    Class<T> type();

    /** Writes all of a value. */
    void write(T value, Output to) throws IOException;

    /**
     * Reads a value that {@link #write} wrote.
     *
     * @throws IOException if it cannot be right
     */
    T read(Input from) throws IOException;

    /**
     * Takes the bytes of values. Large arrays are not copied, so a value must not change until it is where it is
     * written to. Confined to a thread.
     */
    final class Output extends DataOutputStream implements CheckpointWriter.Pieces {
        private final PiecedOutput bytes;

        Output() {
            this(new PiecedOutput());
        }

        private Output(PiecedOutput bytes) {
            super(bytes);
            this.bytes = bytes;
        }

        /** Writes the elements of an array, in the byte order of files. */
        void writeElements(MemorySegment elements, ValueLayout type) {
            bytes.add(PiecedOutput.littleEndian(elements, type));
        }

        /** Returns the number of bytes so far. */
        public long length() {
            return bytes.length();
        }

        @Override
        public void each(CheckpointWriter.Transfer transfer) throws IOException {
            bytes.each(transfer);
        }
    }

    /**
     * Bytes to read values from. No length that is read allocates more than there are bytes for. Confined to a thread.
     */
    final class Input extends DataInputStream {
        private final PiecedInput bytes;

        /**
         * Reads that number of bytes.
         *
         * @param from fills each piece that it is given with the next ones
         */
        Input(CheckpointWriter.Transfer from, long length) {
            this(new PiecedInput(from, length));
        }

        private Input(PiecedInput bytes) {
            super(bytes);
            this.bytes = bytes;
        }

        /**
         * Reads the number of elements that follow.
         *
         * @param leastBytes of each element, at least 1
         * @throws IOException if there are not enough bytes for them
         */
        public int readLength(int leastBytes) throws IOException {
            int length = readInt();
            if (length < 0 || (long) length * leastBytes > bytes.left()) {
                throw new IOException("a length of " + length + " is stored, and " + bytes.left() + " bytes follow");
            }
            return length;
        }

        /** Fills an array with the elements that {@link Output#writeElements} wrote. */
        void readElements(MemorySegment elements, ValueLayout type) throws IOException {
            bytes.fill(elements);
            PiecedInput.ofLittleEndian(elements, type);
        }

        /** Returns the number of bytes that were not read. */
        public long left() {
            return bytes.left();
        }
    }
}
