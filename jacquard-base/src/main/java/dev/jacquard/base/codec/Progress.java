package dev.jacquard.base.codec;

import java.lang.foreign.MemorySegment;

/** Counts the bytes of an entry's pieces. Confined to one thread at a time. */
final class Progress {
    private final String name;
    private final long bytes;
    private long done;

    Progress(String name, long bytes) {
        this.name = name;
        this.bytes = bytes;
    }

    /** Returns the piece, which is counted. */
    MemorySegment count(MemorySegment piece) {
        if (piece.byteSize() > bytes - done) {
            throw new IllegalStateException("entry \"" + name + "\" has " + bytes + " bytes, and its pieces have more: "
                    + piece.byteSize() + " follow the first " + done);
        }
        done += piece.byteSize();
        return piece;
    }

    void requireWhole() {
        if (done < bytes) {
            throw new IllegalStateException(
                    "entry \"" + name + "\" has " + bytes + " bytes, and its pieces only " + done);
        }
    }
}
