package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.task.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Grants the buffers of all memory edges of a run, in the order of tickets: the lock around the lines of items and the
 * threads that wait. The package's section on buffers states the rule, and why it cannot deadlock where a run of one
 * item after the other does not.
 *
 * <pre>
 *  item emitted --> arrives at its places --> line of its stage --> in turn, and all buffers free
 *                                                                                 |
 *  its results have arrived   &lt;-- a copy &lt;-- the stage's queue &lt;-----------------+
 *        |
 *        +--> leaves its place --> lines that were blocked there look again
 * </pre>
 *
 * <p>A line is examined again when its obstacle has changed: the place of an item that comes before its first item, or
 * the free buffers of one of its pools. So the cost of a grant depends on the lines and places that it concerns, not on
 * the number of pools.
 *
 * <p>Threads: all fields are guarded by this. The lock is taken when a buffer changes hands, and once per batch of
 * items on their way to a task that takes buffers; an item from outside waits in an {@link Inbox} until the line looks,
 * if it has one. Stages are locked while it is held (order: ledger, then stage), and no user code except comparators
 * runs under it. Granted items are appended to the stage's queue under this lock, since otherwise two threads that free
 * buffers could swap two items.
 */
final class BufferGrants {
    /** Where a call is noted that broke off half way: buffers may be lost. */
    final Breakage broken;

    private final GrantState state;
    private final List<Pool> pools = new ArrayList<>();
    private boolean ended;

    BufferGrants(Clock clock, Runnable signal, Breakage broken) {
        this.broken = broken;
        this.state = new GrantState(clock, signal);
    }

    /** Adds a pool. Called before the start only. */
    void add(Pool pool) {
        pool.number = pools.size();
        pools.add(pool);
    }

    List<Pool> pools() {
        return pools;
    }

    /** Returns the time; needs no lock. */
    long now() {
        return state.clock.nanoTime();
    }

    // ---- items on their way

    /**
     * Announces items that are about to be appended to the stages of {@code places}.
     *
     * @param given the items' tickets; null, or 0 for an item that comes from outside and gets the next ticket
     * @return the items with their tickets
     */
    @Nullable
    Object[] arrive(TicketSet[] places, @Nullable Object[] items, long @Nullable [] given, int count, WakeList wakes) {
        @Nullable Object[] numbered = new @Nullable Object[count];
        synchronized (this) {
            for (int i = 0; i < count; i++) {
                Object item = items[i];
                assert item != null;
                long ticket = given == null || given[i] == 0 ? state.outside(wakes) : given[i];
                numbered[i] = new Numbered(item, ticket);
                for (TicketSet place : places) {
                    place.arrive(ticket);
                }
            }
        }
        return numbered;
    }

    /** Returns the signal that tells a start task to go on, as an item on its way to {@code place}, if any. */
    @Nullable
    Object[] signal(@Nullable TicketSet place, WakeList wakes) {
        @Nullable Object[] signal = {Start.SIGNAL};
        return place == null ? signal : arrive(new TicketSet[] {place}, signal, null, 1, wakes);
    }

    /** Removes items by their tickets from {@code place}; the items that they led to have arrived at their places. */
    void leave(TicketSet place, long[] left, int count, WakeList wakes) {
        synchronized (this) {
            for (int i = 0; i < count; i++) {
                place.leave(left[i]);
            }
            place.unblock(state, wakes);
        }
    }

    /**
     * Discards the items at the place of a stage that has ended before its input, and the items of its line, if it has
     * these. Items that still come find a slot, and are cancelled.
     */
    void close(StageSetup stage, @Nullable Line line, WakeList wakes) {
        TicketSet here = stage.here;
        if (here == null && stage.slots.isEmpty()) {
            return;
        }
        synchronized (this) {
            if (line != null) {
                line.close(state, wakes);
            }
            if (here != null) {
                here.close();
                here.unblock(state, wakes);
            }
            for (Pool slots : stage.slots) {
                slots.unbind();
                slots.look(state, wakes);
            }
        }
    }

    // ---- requests

    /** Queues {@code count} items of a stage for the buffers that each of them needs. */
    @Nullable
    Wakeable request(Line line, @Nullable Object[] items, int count, @Nullable Wakeable woken) {
        WakeList wakes = new WakeList();
        wakes.add(woken);
        synchronized (this) {
            if (state.stopped) {
                line.refuse(count);
            } else {
                long now = now();
                for (int i = 0; i < count; i++) {
                    Object item = items[i];
                    assert item != null;
                    line.add(item, state, now);
                }
                line.look(state, wakes);
            }
        }
        return wakes.detach();
    }

    /** Creates the inbox of {@code line} for items from outside. Called before the start only. */
    Inbox newInbox(Line line) {
        state.sentTo = line;
        return line.newInbox(state);
    }

    /** Takes the items in the inbox of {@code line}, and after them {@code items} from {@code from} on. */
    @Nullable
    Wakeable collect(Line line, @Nullable Object[] items, int from, int count, @Nullable Wakeable woken) {
        WakeList wakes = new WakeList();
        wakes.add(woken);
        synchronized (this) {
            line.look(state, wakes);
            for (int at = from; at < count; ) {
                at += line.offer(items, at, count - at);
                line.look(state, wakes);
            }
        }
        return wakes.detach();
    }

    /** Queues a thread that waits for a buffer. */
    synchronized void request(Waiter waiter, WakeList wakes) {
        if (state.stopped || ended) {
            waiter.answer(state.stopped ? Waiter.Answer.STOPPED : Waiter.Answer.ENDED);
            return;
        }
        waiter.pool.threads.add(waiter, state, wakes);
        waiter.pool.look(state, wakes);
    }

    /**
     * Waits for a buffer in line. While it waits, the thread that opened the session runs nodes.
     *
     * @throws CancellationException if the run stopped
     * @throws IllegalStateException if the run is over
     */
    void await(Waiter waiter, Workers workers, WakeList wakes) throws InterruptedException {
        try {
            request(waiter, wakes);
            wakes.fire(null, workers); // items that were sent before may be granted, and release the awaited buffer
        } catch (Error e) {
            broken.by = e;
            throw e;
        }
        try {
            workers.awaitUntil(waiter::answered);
        } catch (InterruptedException | RuntimeException | Error e) {
            abandon(waiter, wakes);
            throw e;
        }
        if (waiter.answer() != Waiter.Answer.GRANTED) {
            throw refusal(waiter.answer(), waiter.pool, waiter.name);
        }
    }

    /** Returns the exception for code that takes a buffer of a run that has ended. */
    synchronized RuntimeException refusal(Pool pool, String taker) {
        return refusal(state.stopped ? Waiter.Answer.STOPPED : Waiter.Answer.ENDED, pool, taker);
    }

    private static RuntimeException refusal(Waiter.Answer why, Pool pool, String taker) {
        return why == Waiter.Answer.ENDED
                ? new IllegalStateException("the run is over, so that no buffer of memory edge \"" + pool.name
                        + "\" is lent any more: take buffers before the last item is done")
                : new CancellationException(
                        "the run stopped while " + taker + " waited for a buffer of memory edge \"" + pool.name + "\"");
    }

    private void abandon(Waiter waiter, WakeList wakes) {
        try {
            synchronized (this) {
                waiter.pool.threads.abandon(waiter, state, wakes);
                waiter.pool.look(state, wakes);
            }
        } catch (Error e) {
            broken.by = e;
            throw e;
        }
    }

    // ---- buffers that come back

    /** Frees one granted buffer of {@code bytes} bytes that is not lent. */
    synchronized void giveBack(Pool pool, long bytes, boolean ahead, WakeList wakes) {
        pool.giveBack(1, bytes, ahead);
        pool.look(state, wakes);
    }

    /** Frees the slots of the first {@code count} items of a batch, which a copy of {@code stage} has taken. */
    void took(StageSetup stage, @Nullable Object[] batch, int count, WakeList wakes) {
        if (stage.slots.isEmpty() || count == 0) {
            return;
        }
        synchronized (this) {
            for (int i = 0; i < count; i++) {
                Pool slots = Numbered.slotsOf(batch[i]);
                if (slots != null) {
                    slots.giveBack(1, 0, false);
                }
            }
            for (Pool slots : stage.slots) {
                slots.look(state, wakes);
            }
        }
    }

    /**
     * Frees the buffers that were granted for {@code item} and that its copy did not take.
     *
     * @param withSlots true if the item is done, so that no further item comes of it
     */
    void giveBack(Granted item, boolean withSlots, WakeList wakes) {
        if (item.unused(withSlots)) {
            synchronized (this) {
                item.free(withSlots);
                for (BufferNeed need : item.needs()) {
                    need.pool().look(state, wakes);
                }
            }
        }
    }

    // ---- the end

    /** Answers all waiting threads; no request is granted from now on. */
    synchronized void stop() {
        state.stopped = true;
        for (Pool pool : pools) {
            pool.threads.stop(state);
            for (Request taker : pool.takers) {
                taker.stop(state);
            }
        }
        state.signal.run();
    }

    /** Notifies waiting threads outside of the graph that the run is over. */
    synchronized void end() {
        ended = true;
        pools.forEach(pool -> pool.threads.end(Waiter.Answer.ENDED));
    }

    // ---- for reports

    /** Returns a number that changes whenever a request comes, or a buffer is lent. */
    synchronized long progress() {
        return state.serial
                + state.tickets
                + pools.stream().mapToLong(pool -> pool.taken + pool.free).sum();
    }

    /** Returns true if an item or a thread waits for a buffer. */
    synchronized boolean isAwaited() {
        return pools.stream().anyMatch(Pool::isAwaited);
    }
}
