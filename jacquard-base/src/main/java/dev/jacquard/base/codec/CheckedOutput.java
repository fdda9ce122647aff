package dev.jacquard.base.codec;

import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/** Bytes on their way to a channel, with a checksum. Confined to one thread at a time. */
final class CheckedOutput extends BufferedOutput {
    private final CRC32C sum = new CRC32C();

    CheckedOutput(WritableByteChannel channel) {
        super(channel);
    }

    @Override
    void passed(ByteBuffer bytes) {
        sum.update(bytes);
    }

    /** Returns the checksum of the bytes that were put since the last call. */
    int checksum() {
        int checksum = (int) sum.getValue();
        sum.reset();
        return checksum;
    }
}
