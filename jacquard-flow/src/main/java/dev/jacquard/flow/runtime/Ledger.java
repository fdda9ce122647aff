package dev.jacquard.flow.runtime;

import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.data.Handle;
import dev.jacquard.core.engine.Workers;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.runtime.Request.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Grants the buffers of all memory edges of a run, in the order in which items were queued.
 *
 * <pre>
 *  item queued --> request in the line of every pool it needs --> all granted --> the stage's queue --> a copy
 * </pre>
 *
 * <p>No deadlock that the pools' sizes do not force: a request joins all its lines in one step, so the lines agree on who
 * is older, and the oldest request that still waits is the head of all its lines and gets whatever is freed next. A copy
 * is activated only with a granted item, so that it never waits while it holds a worker.
 *
 * <p>Threads: everything is guarded by this one lock, which is taken when a buffer changes hands, never per small item.
 * It is held while stages are locked (order: ledger, then stage), and never while user code runs. Granted items are
 * appended to the stage's queue under it, since otherwise two threads that free buffers could swap two items.
 */
final class Ledger {
    private final Clock clock;
    private final Runnable signal;
    private final List<Pool> pools = new ArrayList<>();
    private boolean stopped;

    Ledger(Clock clock, Runnable signal) {
        this.clock = clock;
        this.signal = signal;
    }

    /** Before the start only. */
    void add(Pool pool) {
        pools.add(pool);
    }

    List<Pool> pools() {
        return pools;
    }

    /** Queues {@code count} items of a stage for the buffers that each of them needs. */
    @Nullable
    Copy request(Stage stage, Object[] items, int count, @Nullable Copy woken) {
        Wakes wakes = new Wakes();
        wakes.add(woken);
        synchronized (this) {
            if (stopped) {
                stage.discard(count);
            } else {
                for (int i = 0; i < count; i++) {
                    join(new Granted(stage, items[i]));
                }
                grant(wakes);
            }
        }
        return wakes.detach();
    }

    /** Queues a thread. */
    synchronized void request(Waiter waiter) {
        if (stopped) {
            waiter.answer(Waiter.Answer.STOPPED);
        } else {
            join(waiter);
            grant(new Wakes()); // wakes no copy: whoever stood in line before still does
        }
    }

    private void join(Request request) {
        for (Need need : request.needs) {
            need.pool().waiting.add(request);
            if (need.pool().free < need.count() || need.pool().waiting.size() > 1) {
                request.sinceNanos = clock.nanoTime();
            }
        }
    }

    /** Hands free buffers to those first in line. */
    private void grant(Wakes wakes) {
        boolean again = true;
        while (again) {
            again = false;
            for (Pool pool : pools) {
                for (Request first = pool.waiting.peek(); pool.free > 0 && first != null; first = pool.waiting.peek()) {
                    pool.free--;
                    if (first.give(pool)) {
                        pool.waiting.remove();
                        again |= !granted(first, pool, wakes);
                    }
                }
            }
        }
    }

    /** A request has all that it needs of {@code pool}. False when it was the last need and nobody wants it any more. */
    private boolean granted(Request request, Pool pool, Wakes wakes) {
        if (request.sinceNanos != 0) {
            pool.waitNanos += clock.nanoTime() - request.sinceNanos;
        }
        if (!request.granted()) {
            return true;
        }
        return switch (request) {
            case Granted item -> {
                boolean accepted = item.ofStage().acceptGranted(item, wakes);
                if (!accepted) {
                    free(item);
                }
                yield accepted;
            }
            case Waiter waiter -> {
                waiter.answer(Waiter.Answer.GRANTED);
                signal.run();
                yield true;
            }
        };
    }

    private static void free(Granted item) {
        for (int i = 0; i < item.needs.length; i++) {
            item.needs[i].pool().free += item.credits[i];
            item.credits[i] = 0;
        }
    }

    /**
     * Turns a granted buffer into a loan. The allocator of a dynamic edge is called without the lock.
     *
     * @throws Exception what the allocator threw; the granted buffer is free again then
     */
    Handle<Object> lend(Pool pool, String taker, ReleaseRule rule, Wakes wakes) throws Exception {
        if (pool.dynamic) {
            Object value;
            try {
                value = pool.allocator.allocate();
            } catch (Throwable t) {
                giveBack(pool, 1, wakes);
                throw t;
            }
            synchronized (this) {
                return pool.lend(value, taker, rule).handle;
            }
        }
        synchronized (this) {
            return pool.lend(pool.values.pop(), taker, rule).handle;
        }
    }

    /** Granted buffers that nobody took are free again. */
    void giveBack(Pool pool, int count, Wakes wakes) {
        synchronized (this) {
            pool.free += count;
            regrant(wakes);
        }
    }

    /** What a copy did not take of the buffers that were granted for its item is free again. */
    void giveBack(Granted item, Wakes wakes) {
        if (item.unused()) {
            synchronized (this) {
                free(item);
                regrant(wakes);
            }
        }
    }

    private void regrant(Wakes wakes) {
        if (!stopped) {
            grant(wakes);
        }
    }

    /** See {@link dev.jacquard.flow.task.Emitter#release}. */
    void release(Handle<?> handle, Wakes wakes) throws Exception {
        if (!(handle.owner() instanceof Pool pool) || pool.ledger != this) {
            throw new IllegalArgumentException("buffer \"" + handle.name() + "\" was released, but no memory edge of "
                    + "this run lent it: release it where it was taken");
        }
        Lease lease;
        synchronized (this) {
            lease = pool.leaseOf(handle);
        }
        if (lease == null) {
            throw twice(handle);
        }
        if (!lease.released()) {
            return;
        }
        if (!pool.dynamic && isLent(pool, lease)) {
            pool.allocator.recycle(lease.handle.value());
        }
        synchronized (this) {
            // Two releases may both have been told "free" by a rule; only the one that ends the loan returns the
            // buffer.
            if (!pool.end(lease)) {
                throw twice(handle);
            }
            if (!pool.dynamic) {
                pool.values.push(lease.handle.value());
            }
        }
        try {
            if (pool.dynamic) {
                pool.allocator.free(lease.handle.value());
            }
        } finally {
            giveBack(pool, 1, wakes);
        }
    }

    private synchronized boolean isLent(Pool pool, Lease lease) {
        return pool.leaseOf(lease.handle) == lease;
    }

    private static IllegalStateException twice(Handle<?> handle) {
        return new IllegalStateException("buffer \"" + handle.name() + "\" was released, but it was free already: "
                + "its release rule said so at an earlier release");
    }

    /** Answers all who wait; no request is granted from now on. */
    synchronized void stop() {
        stopped = true;
        for (Pool pool : pools) {
            for (Request request : pool.waiting) {
                if (request instanceof Waiter waiter) {
                    waiter.answer(Waiter.Answer.STOPPED);
                }
            }
            pool.waiting.clear();
        }
        signal.run();
    }

    /**
     * Waits for a buffer in line with everybody else; the thread that opened the session runs nodes meanwhile.
     *
     * @throws CancellationException when the run stopped
     */
    void await(Pool pool, String taker, Workers workers, Wakes wakes) throws InterruptedException {
        Waiter waiter = new Waiter(pool);
        request(waiter);
        try {
            workers.awaitUntil(waiter::answered);
        } catch (InterruptedException | RuntimeException e) {
            abandon(waiter, wakes);
            throw e;
        }
        if (waiter.answer() != Waiter.Answer.GRANTED) {
            throw new CancellationException(
                    "the run stopped while " + taker + " waited for a buffer of memory edge \"" + pool.name + "\"");
        }
    }

    /** A thread gives up; when its buffer came meanwhile, that is free again. */
    private void abandon(Waiter waiter, Wakes wakes) {
        Pool pool = waiter.needs[0].pool();
        synchronized (this) {
            if (waiter.answer() == Waiter.Answer.GRANTED) {
                pool.free++;
                regrant(wakes);
            } else {
                pool.waiting.remove(waiter);
            }
        }
    }

    /** Names and takers of what is lent now. */
    synchronized List<String> outstanding() {
        List<String> names = new ArrayList<>();
        for (Pool pool : pools) {
            for (Lease lease : pool.outstanding()) {
                names.add(lease.handle.name() + " (taken by " + lease.taker + ")");
            }
        }
        names.sort(null);
        return names;
    }

    /** After the end: frees every buffer, lent or not, and answers what went wrong. */
    List<Throwable> freeAll() {
        List<Throwable> problems = new ArrayList<>();
        for (Pool pool : pools) {
            List<Object> values;
            synchronized (this) {
                values = pool.drainValues();
            }
            for (Object value : values) {
                try {
                    pool.allocator.free(value);
                } catch (Throwable t) {
                    problems.add(t);
                }
            }
        }
        return problems;
    }
}
