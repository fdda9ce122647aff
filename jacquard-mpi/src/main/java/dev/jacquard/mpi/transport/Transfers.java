package dev.jacquard.mpi.transport;

import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.mpi.library.Mpi;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The large contents that are under way.
 *
 * <p>Threads: any starts one; {@code active} is confined to the one that polls. The monitor guards the requests that
 * are free and the tags in use.
 */
final class Transfers {
    private final Mpi mpi;
    private final Calls calls;
    private final Arena arena;
    private final Chunks chunks = new Chunks();
    /** From the threads that start them to the one that polls. */
    private final ConcurrentLinkedQueue<Transfer> started = new ConcurrentLinkedQueue<>();

    private final List<Transfer> active = new ArrayList<>();
    private final ArrayDeque<NativeRequest> free = new ArrayDeque<>();
    private final Set<Integer> tags = new HashSet<>();
    private int lastTag;
    /** Transfers that have been started and not ended. */
    private final AtomicInteger count = new AtomicInteger();

    Transfers(Mpi mpi, Calls calls, Arena arena) {
        this.mpi = mpi;
        this.calls = calls;
        this.arena = arena;
    }

    Chunks chunks() {
        return chunks;
    }

    synchronized NativeRequest takeRequest() {
        NativeRequest its = free.pollLast();
        return its == null ? new NativeRequest(mpi, arena) : its;
    }

    synchronized void giveBack(NativeRequest request) {
        free.addLast(request);
    }

    /**
     * Returns a tag from 1 on that no other content has that this rank sends now: a receiver may take contents in
     * another order.
     */
    synchronized int takeTag() {
        if (tags.size() == mpi.tagLimit()) {
            throw new CommunicationException("rank " + mpi.rank() + " sends " + tags.size()
                    + " large messages at once, and " + mpi.name()
                    + " has no more tags: receive some of them before others are sent");
        }
        do {
            lastTag = lastTag >= mpi.tagLimit() ? 1 : lastTag + 1;
        } while (!tags.add(lastTag));
        return lastTag;
    }

    private synchronized void giveBack(int tag) {
        tags.remove(tag);
    }

    /** Starts a transfer, now or soon. */
    void start(Transfer its) {
        count.incrementAndGet();
        calls.run(() -> {
            its.begin();
            started.add(its);
        });
    }

    /** Moves all on; returns false if nothing has moved. */
    boolean poll() {
        if (count.get() == 0) {
            return false;
        }
        for (Transfer each = started.poll(); each != null; each = started.poll()) {
            active.add(each);
        }
        boolean moved = false;
        for (int i = 0; i < active.size(); i++) {
            Transfer its = active.get(i);
            moved |= its.poll();
            if (its.isOver()) {
                Transfer last = active.removeLast();
                if (last != its) {
                    active.set(i--, last);
                }
                its.end();
                count.decrementAndGet();
                if (its.sends()) {
                    giveBack(its.tag());
                }
            }
        }
        return moved;
    }

    /** Returns true if none is under way. */
    boolean isEmpty() {
        return count.get() == 0;
    }
}
