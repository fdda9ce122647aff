package dev.jacquard.mpi.transport;

import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.message.Payload;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A large content that is sent or received, in pieces of which some are under way at a time. Contiguous memory outside
 * of the heap is sent and received as it is; other memory by copies of its pieces.
 *
 * <p>Threads: made by one, which hands it to the one that polls.
 */
final class Transfer {
    /** The most pieces under way. */
    private static final int WINDOW = 4;

    private final Transfers transfers;
    private final boolean sends;
    private final int peer;
    private final int tag;
    private final long bytes;
    private final long piece;
    /** Those of the user; null for a content that is dropped. */
    private final @Nullable Elements elements;
    /** True if pieces pass through other memory. */
    private final boolean byCopies;

    private final Payload.Completion then;
    private final ArrayDeque<Piece> underWay = new ArrayDeque<>(WINDOW);
    private long begun;
    /** Why memory of the user's could not be read or written: its arena was closed. The pieces go on, for the peer. */
    private @Nullable RuntimeException failure;

    private record Piece(NativeRequest request, MemorySegment memory, long at, long bytes) {}

    private Transfer(
            Transfers transfers,
            boolean sends,
            int peer,
            int tag,
            byte form,
            long bytes,
            @Nullable Elements elements,
            Payload.Completion then) {
        this.transfers = transfers;
        this.sends = sends;
        this.peer = peer;
        this.tag = tag;
        this.bytes = bytes;
        this.piece = Frame.piece(form);
        this.elements = elements;
        this.byCopies = elements == null || form(elements) == Frame.IN_CHUNKS;
        this.then = then;
    }

    /** Returns the form in which a content is sent. */
    static byte form(Elements elements) {
        return elements.isContiguous() && elements.memory().isNative() ? Frame.IN_PIECES : Frame.IN_CHUNKS;
    }

    static Transfer send(Transfers transfers, int to, int tag, Elements elements, Payload.Completion then) {
        return new Transfer(transfers, true, to, tag, form(elements), elements.byteSize(), elements, then);
    }

    static Transfer receive(Transfers transfers, PiecesPayload its, Elements into, Payload.Completion then) {
        return new Transfer(transfers, false, its.sender(), its.tag(), its.form(), its.bytes(), into, then);
    }

    /** Receives a content that is dropped. */
    static Transfer drain(Transfers transfers, PiecesPayload its) {
        return new Transfer(transfers, false, its.sender(), its.tag(), its.form(), its.bytes(), null, _ -> {});
    }

    boolean sends() {
        return sends;
    }

    int tag() {
        return tag;
    }

    /** Begins pieces as far as there is room for them. */
    void begin() {
        int most = byCopies && piece > Frame.piece(Frame.IN_CHUNKS) ? WINDOW / 2 : WINDOW;
        while (begun < bytes && underWay.size() < most) {
            long length = Math.min(piece, bytes - begun);
            underWay.addLast(begin(begun, length));
            begun += length;
        }
    }

    private Piece begin(long at, long length) {
        NativeRequest request = transfers.takeRequest();
        MemorySegment its;
        if (byCopies) {
            its = transfers.chunks().take(length);
            if (sends) {
                copyOut(at, its.asSlice(0, length));
            }
        } else {
            its = Objects.requireNonNull(elements).memory().asSlice(at, length);
        }
        if (sends) {
            request.sendMatched(its, length, peer, tag);
        } else {
            request.receive(its, length, peer, tag);
        }
        return new Piece(request, its, at, length);
    }

    private void copyOut(long at, MemorySegment piece) {
        try {
            Objects.requireNonNull(elements).copyTo(at, piece);
        } catch (IllegalStateException e) {
            failure = e;
        }
    }

    private void copyIn(long at, MemorySegment piece) {
        try {
            Objects.requireNonNull(elements).fill(at, piece);
        } catch (IllegalStateException e) {
            failure = e;
        }
    }

    /** Ends pieces that are over, and begins others; returns false if nothing was to be done. */
    boolean poll() {
        boolean moved = false;
        while (!underWay.isEmpty() && underWay.getFirst().request.hasEnded()) {
            end(underWay.removeFirst());
            begin();
            moved = true;
        }
        return moved;
    }

    private void end(Piece its) {
        transfers.giveBack(its.request);
        if (byCopies) {
            if (!sends && elements != null) {
                copyIn(its.at, its.memory.asSlice(0, its.bytes));
            }
            transfers.chunks().giveBack(its.memory);
        }
    }

    boolean isOver() {
        return begun == bytes && underWay.isEmpty();
    }

    /** Ends the operation. */
    void end() {
        then.end(failure);
    }
}
