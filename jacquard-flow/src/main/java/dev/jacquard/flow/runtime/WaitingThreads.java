package dev.jacquard.flow.runtime;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for buffers of one pool.
 *
 * <p>Threads: guarded by the {@link BufferGrants}.
 */
final class WaitingThreads implements Request {
    private static final Comparator<Waiter> ELDEST =
            (a, b) -> a.ticket != b.ticket ? Long.compare(a.ticket, b.ticket) : Long.compare(a.serial, b.serial);

    private final Pool pool;
    /** The place of waiting code outside of the graph. */
    private final TicketSet outside;
    /** The threads of the graph's tasks, which come first, since they may hold buffers that others need. */
    private final PriorityQueue<Waiter> inBodies = new PriorityQueue<>(ELDEST);
    /** The threads outside of the graph. */
    private final PriorityQueue<Waiter> fromOutside = new PriorityQueue<>(ELDEST);
    /** The place with a least ticket before the first thread outside; null if the threads wait for no place. */
    private @Nullable TicketSet blockedAt;

    WaitingThreads(Pool pool, TicketSet outside) {
        this.pool = pool;
        this.outside = outside;
    }

    void add(Waiter waiter, GrantState state, WakeList wakes) {
        waiter.sinceNanos = state.clock.nanoTime();
        waiter.serial = state.serial++;
        if (waiter.outside) {
            waiter.ticket = state.outside(wakes);
            outside.arrive(waiter.ticket);
            fromOutside.add(waiter);
        } else {
            inBodies.add(waiter);
        }
    }

    /** Removes a thread that gives up; a buffer that was granted to it before is free again. */
    void abandon(Waiter waiter, GrantState state, WakeList wakes) {
        if (waiter.answer() == Waiter.Answer.GRANTED) {
            pool.giveBack(1, waiter.bytes, false);
        } else if (!waiter.outside) {
            inBodies.remove(waiter);
        } else if (fromOutside.remove(waiter)) {
            outside.leave(waiter.ticket);
            outside.unblock(state, wakes);
        }
    }

    @Override
    public void look(GrantState state, WakeList wakes) {
        for (Waiter first = inBodies.peek(); first != null && isFree(first); first = inBodies.peek()) {
            grant(inBodies.remove(), state);
        }
        boolean gone = false;
        for (Waiter first = fromOutside.peek(); first != null && isInTurn(first); first = fromOutside.peek()) {
            fromOutside.remove();
            outside.leave(first.ticket);
            grant(first, state);
            gone = true;
        }
        if (gone) {
            outside.unblock(state, wakes);
        }
    }

    /** Returns true if a buffer is free and no item that may still ask comes before {@code first}. */
    private boolean isInTurn(Waiter first) {
        TicketSet blocking = null;
        boolean free = isFree(first);
        for (int i = 0; free && blocking == null && i < pool.before.length; i++) {
            blocking = pool.before[i].least() < first.ticket ? pool.before[i] : null;
        }
        blockedAt = TicketSet.move(this, blockedAt, blocking);
        return free && blocking == null;
    }

    private boolean isFree(Waiter waiter) {
        return pool.has(1, waiter.bytes);
    }

    private void grant(Waiter waiter, GrantState state) {
        pool.grant(1, waiter.bytes, false);
        pool.waitNanos += state.clock.nanoTime() - waiter.sinceNanos;
        waiter.answer(Waiter.Answer.GRANTED);
        state.signal.run();
    }

    @Override
    public int size() {
        return inBodies.size() + fromOutside.size();
    }

    @Override
    public void describe(long now, List<String> lines) {
        inBodies.forEach(waiter -> lines.add(waiter.describe(now)));
        fromOutside.forEach(waiter -> lines.add(waiter.describe(now)));
    }

    @Override
    public void stop(GrantState state) {
        inBodies.forEach(waiter -> waiter.answer(Waiter.Answer.STOPPED));
        inBodies.clear();
        end(Waiter.Answer.STOPPED);
    }

    /** Answers the threads outside of the graph. */
    void end(Waiter.Answer answer) {
        fromOutside.forEach(waiter -> waiter.answer(answer));
        fromOutside.clear();
    }
}
