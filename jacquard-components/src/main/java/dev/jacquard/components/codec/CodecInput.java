package dev.jacquard.components.codec;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;

/** Bytes to read values from. No length that is read allocates more than there are bytes for. Confined to a thread. */
public final class CodecInput extends DataInputStream {
    /** Reads from these bytes. */
    public CodecInput(byte[] bytes) {
        super(new ByteArrayInputStream(bytes));
    }

    /**
     * Reads the number of elements that follow.
     *
     * @param leastBytes of each element, at least 1
     * @throws IOException if there are not enough bytes for them
     */
    public int readLength(int leastBytes) throws IOException {
        int length = readInt();
        if (length < 0 || (long) length * leastBytes > available()) {
            throw new IOException("a length of " + length + " is stored, and " + available() + " bytes follow");
        }
        return length;
    }
}
