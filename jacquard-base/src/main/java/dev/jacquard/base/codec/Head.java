package dev.jacquard.base.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** The bytes that stand before contents: the head of the file, the heads of entries, and the end. */
final class Head {
    /** The version that is written, and the only one that is read. */
    static final int VERSION = 1;

    /** The first bytes: no text, and changed by a transfer that changes ends of lines. */
    static final byte[] MAGIC = {(byte) 0x89, 'J', 'Q', 'C', '\r', '\n', 0x1A, '\n'};

    /** The bytes before the identity. */
    static final int FILE_BYTES = MAGIC.length + 2 * Integer.BYTES;

    /** The bytes before the name of an entry. */
    static final int ENTRY_BYTES = 2 * Integer.BYTES + Long.BYTES;

    /** The most bytes of a name or an identity: a length beyond is damage. */
    static final int MOST_TEXT = 1 << 20;

    /** The type of the end. */
    static final int END = 0;

    private Head() {}

    static ByteBuffer file(String identity) {
        byte[] text = bytes(identity, "identity");
        ByteBuffer head = buffer(FILE_BYTES + text.length);
        return sealed(head.put(MAGIC).putInt(VERSION).putInt(text.length).put(text));
    }

    static ByteBuffer entry(EntryType type, String name, long bytes) {
        byte[] text = bytes(name, "name");
        ByteBuffer head = buffer(ENTRY_BYTES + text.length);
        return sealed(
                head.putInt(type.code()).putInt(text.length).putLong(bytes).put(text));
    }

    static ByteBuffer end(long entries) {
        return sealed(buffer(ENTRY_BYTES).putInt(END).putInt(0).putLong(entries));
    }

    private static byte[] bytes(String text, String what) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (text.isBlank() || bytes.length > MOST_TEXT) {
            throw new IllegalArgumentException("a " + what + " has 1 to " + MOST_TEXT + " bytes, not "
                    + (text.isBlank() ? "\"" + text + '"' : bytes.length));
        }
        return bytes;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer sealed(ByteBuffer head) {
        return head.putInt(checksum(head.duplicate().flip())).flip();
    }

    /** Returns the checksum of the remaining bytes, which are left as they are. */
    static int checksum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate());
        return (int) sum.getValue();
    }

    /** Returns a checksum for messages. */
    static String text(int checksum) {
        return HexFormat.of().toHexDigits(checksum);
    }
}
