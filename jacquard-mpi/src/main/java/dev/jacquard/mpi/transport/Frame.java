package dev.jacquard.mpi.transport;

import dev.jacquard.cluster.message.Envelope;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The head of each message with tag 0, in 40 bytes; a content follows that is not large.
 *
 * <pre>
 *  0 context   8 bytes   16 source   20 tag   24 kind   25 operation   26 form   28 sender   32 tag of the content
 * </pre>
 *
 * <p>Ranks of one program run on processors with the same byte order.
 */
final class Frame {
    /** The bytes of a head. */
    static final int HEAD = 40;

    /** The longest content that follows its head: such a message needs no receive for its sender to go on. */
    static final int MOST_EAGER = 16 << 10;

    /** The content follows. */
    static final byte WHOLE = 0;

    /** The content comes in pieces of {@link #piece}, from memory that lies so. */
    static final byte IN_PIECES = 1;

    /** The content comes in smaller pieces, which are copied on the way. */
    static final byte IN_CHUNKS = 2;

    /** The sender has ended. No envelope. */
    static final byte END = 3;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private Frame() {}

    /** Returns the bytes of a piece, but for the last one. */
    static long piece(byte form) {
        return form == IN_PIECES ? 8L << 20 : 1L << 20;
    }

    /**
     * Writes a head.
     *
     * @param sender the rank of the sender in the world
     * @param contentTag the tag of the pieces of the content; 0 if there are none
     */
    static void write(MemorySegment at, byte form, int sender, int contentTag, Envelope envelope) {
        at.set(LONG, 0, envelope.context());
        at.set(LONG, 8, envelope.bytes());
        at.set(INT, 16, envelope.source());
        at.set(INT, 20, envelope.tag());
        at.set(BYTE, 24, envelope.kind());
        at.set(BYTE, 25, envelope.operation());
        at.set(BYTE, 26, form);
        at.set(INT, 28, sender);
        at.set(INT, 32, contentTag);
    }

    static Envelope envelope(MemorySegment at) {
        return new Envelope(
                at.get(LONG, 0), at.get(INT, 16), at.get(INT, 20), at.get(BYTE, 24), at.get(BYTE, 25), at.get(LONG, 8));
    }

    static byte form(MemorySegment at) {
        return at.get(BYTE, 26);
    }

    static int sender(MemorySegment at) {
        return at.get(INT, 28);
    }

    static int contentTag(MemorySegment at) {
        return at.get(INT, 32);
    }
}
