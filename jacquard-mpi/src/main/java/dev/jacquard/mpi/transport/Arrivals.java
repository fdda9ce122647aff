package dev.jacquard.mpi.transport;

import dev.jacquard.cluster.message.Endpoint;
import dev.jacquard.cluster.message.Envelope;
import dev.jacquard.cluster.message.Payload;
import dev.jacquard.mpi.library.Mpi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The receives of heads, with the contents that follow these. Messages match receives in the order in which both were
 * begun, so the oldest one is looked at alone.
 *
 * <p>Threads: confined to the one that polls.
 */
final class Arrivals {
    /** Messages that the library can store without its own copy. */
    private static final int DEPTH = 16;

    private final Mpi mpi;
    private final Transfers transfers;
    private final Ends ends;
    private final MemorySegment[] buffers = new MemorySegment[DEPTH];
    private final WholePayload[] contents = new WholePayload[DEPTH];
    private final NativeRequest[] requests = new NativeRequest[DEPTH];
    private int oldest;
    /** The receive that is to be begun again; -1 for none. */
    private int used = -1;

    Arrivals(Mpi mpi, Transfers transfers, Ends ends, Arena arena) {
        this.mpi = mpi;
        this.transfers = transfers;
        this.ends = ends;
        for (int i = 0; i < DEPTH; i++) {
            buffers[i] = arena.allocate(Frame.HEAD + Frame.MOST_EAGER, 64);
            contents[i] = new WholePayload(buffers[i]);
            requests[i] = new NativeRequest(mpi, arena);
        }
    }

    void start() {
        for (int i = 0; i < DEPTH; i++) {
            begin(i);
        }
    }

    private void begin(int index) {
        requests[index].receive(
                buffers[index], Frame.HEAD + Frame.MOST_EAGER, mpi.abi().anySource(), 0);
    }

    /**
     * Delivers a message that has come; returns false if there was none. The receive that was used is begun again by
     * the next call, when the thread that waited for this message has gone on.
     */
    boolean poll(Endpoint endpoint) {
        if (used >= 0) {
            begin(used);
            used = -1;
        }
        if (!requests[oldest].hasEnded()) {
            return false;
        }
        used = oldest;
        oldest = (oldest + 1) % DEPTH;
        deliver(used, endpoint);
        return true;
    }

    private void deliver(int index, Endpoint endpoint) {
        MemorySegment buffer = buffers[index];
        byte form = Frame.form(buffer);
        if (form == Frame.END) {
            ends.add(Frame.sender(buffer));
            return;
        }
        Envelope envelope = Frame.envelope(buffer);
        Payload payload = form == Frame.WHOLE
                ? contents[index].of(envelope.bytes())
                : new PiecesPayload(transfers, Frame.sender(buffer), Frame.contentTag(buffer), form, envelope.bytes());
        endpoint.deliver(envelope, payload);
    }

    /** Ends all receives. */
    void stop() {
        for (int i = 0; i < DEPTH; i++) {
            if (i != used) {
                requests[i].cancel();
            }
        }
    }
}
