package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.flow.memory.ItemResources;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lends the buffers that the {@link BufferGrants} grant, and takes them back.
 *
 * <pre>
 *  granted --lend--> lease --release, and the rule says so--> returning --engine tasks over--> free, recycled
 * </pre>
 *
 * <p>Threads: all fields are guarded by the ledger. No allocator and no release rule is called under its lock.
 */
final class Loans {
    /** The number of loans, eldest first, that a description names per memory edge. */
    private static final int MOST_LOANS = 8;

    private final BufferGrants ledger;
    private final Lender lender;
    /** The leases of lent buffers. */
    private final LeaseList leases = new LeaseList();
    /** The leases that end once the engine tasks that use their buffers are over. */
    private final LeaseList returning = new LeaseList();
    /** The leases with buffers that an allocator recycles or frees, until its exception, if any, is known. */
    private final LeaseList recycling = new LeaseList();
    /** True once the run has freed all buffers: none is lent any more. */
    private boolean closed;

    /** The run, as its loans see it. */
    interface Lender {
        /** Returns a handle on {@code value} that refers to its loan. */
        Handle<Object> handle(String name, Object value, Lease of);

        /** Returns true if engine tasks may still access the buffer. */
        default boolean mayBeInUse(Lease loan) {
            return false;
        }

        /**
         * Calls {@code then} once all engine tasks that were submitted with accesses to {@code lent}, or to the data
         * that it lends, are over.
         */
        default void behind(Lease loan, Handle<?> lent, Runnable then) {
            then.run();
        }

        /** Lets the end of the run wait for the engine tasks that access {@code lent}, which was not released. */
        default void endsBehind(Lease loan, Handle<?> lent) {}

        /**
         * Called when a buffer came back outside of any call by a user. Wakes copies, and reports the exception of the
         * allocator, if any.
         */
        default void returned(Lease loan, WakeList wakes, @Nullable Throwable problem) {}
    }

    Loans(BufferGrants ledger, Lender lender) {
        this.ledger = ledger;
        this.lender = lender;
    }

    /** Returns the time; needs no lock. */
    long now() {
        return ledger.now();
    }

    /**
     * Turns a granted buffer into a loan. Allocators and loaders are called without the lock.
     *
     * @param item the resources of the item that takes, for a loader; null outside of the graph
     * @throws RuntimeException if the allocator or the loader throws any exception, or the run was closed since the
     *     grant; the granted buffer is free again then
     */
    Handle<Object> lend(Lease lease, @Nullable ItemResources item, WakeList wakes) {
        Pool pool = lease.pool;
        Throwable problem = null;
        try {
            try {
                if (pool.keyed != null) {
                    KeyedBuffers.Slot slot =
                            pool.keyed.take(Objects.requireNonNull(lease.by()), Objects.requireNonNull(item));
                    lease.hold(slot.buffer, slot);
                } else if (pool.dynamic) {
                    lease.hold(pool.allocate(lease.bytes(), lease.by()), null);
                }
            } catch (Throwable t) {
                ledger.giveBack(pool, lease.bytes(), lease.ahead, wakes);
                problem = t;
            }
            if (problem == null) {
                return lend(lease, wakes);
            }
        } catch (Error e) { // not the allocator's: the granted buffer may be lost
            ledger.broken.by = e;
            throw e;
        }
        throw Pool.unchecked("allocating a buffer of memory edge \"" + pool.name, problem);
    }

    private Handle<Object> lend(Lease lease, WakeList wakes) {
        Pool pool = lease.pool;
        synchronized (ledger) {
            if (!closed) {
                if (!pool.dynamic && pool.keyed == null) {
                    lease.hold(pool.values.pop(), null);
                }
                leases.add(lease);
                lease.number(pool.lend(lease.bytes()));
                return lease.handle(lender.handle(pool.name, lease.value(), lease));
            }
        }
        throw tooLate(lease, wakes);
    }

    /** Gives back a buffer that was granted before the run was closed; returns the exception that says so. */
    private RuntimeException tooLate(Lease lease, WakeList wakes) {
        ledger.giveBack(lease.pool, lease.bytes(), lease.ahead, wakes);
        RuntimeException late = ledger.refusal(lease.pool, lease.taker);
        if (lease.pool.dynamic) {
            List<Throwable> problems = new ArrayList<>();
            free(lease.pool, lease.value(), problems);
            Suppressed.addAll(late, problems);
        }
        return late;
    }

    /** Releases a buffer once: see {@link dev.jacquard.flow.task.Emitter#release}. */
    @SuppressWarnings("ConstantValue") // users may not check for nulls
    void release(Handle<?> handle, WakeList wakes) {
        if (handle == null) {
            throw new NullPointerException("null was released: release the handle that take() answered");
        }
        if (!(handle.loan() instanceof Lease lease) || lease.loans != this) {
            throw new IllegalArgumentException("buffer \"" + handle.name() + "\" was released, but no memory edge of "
                    + "this run lent it: release it where it was taken");
        }
        if (lease.isOver()) {
            throw over(handle, lease);
        }
        if (lease.released()) {
            endLoan(handle, lease, wakes);
        }
    }

    /** Releases a buffer once on behalf of a dropped item, unless it is free already. */
    void releaseOnce(Handle<?> handle, Lease lease, WakeList wakes) {
        if (isLent(lease) && lease.released()) {
            endLoan(handle, lease, wakes);
        }
    }

    /** Ends the loan of a buffer that has no owner any more, unless it is free already; its rule is not asked. */
    void giveUp(Handle<?> handle, Lease lease, WakeList wakes) {
        if (isLent(lease)) {
            endLoan(handle, lease, wakes);
        }
    }

    private boolean isLent(Lease lease) {
        synchronized (ledger) {
            return leases.contains(lease);
        }
    }

    /** Ends a loan; throws the exception of the allocator. */
    private void endLoan(Handle<?> handle, Lease lease, WakeList wakes) {
        Throwable problem;
        try {
            problem = giveBack(handle, lease, wakes);
        } catch (Error e) { // not the allocator's: the buffer may be lost
            ledger.broken.by = e;
            throw e;
        }
        if (problem != null) {
            throw Pool.unchecked("freeing buffer \"" + handle.name(), problem);
        }
    }

    /** Ends a loan, after the engine tasks that may use the buffer; returns the allocator's exception, if it threw. */
    private @Nullable Throwable giveBack(Handle<?> handle, Lease lease, WakeList wakes) {
        boolean later;
        synchronized (ledger) {
            // If the rule answers true to two releases, only one of them ends the loan and owns the buffer.
            if (!leases.remove(lease)) {
                throw over(handle, lease);
            }
            later = lender.mayBeInUse(lease);
            if (later) {
                returning.add(lease);
                lease.pool.returning++;
            } else {
                end(lease);
            }
        }
        if (later) {
            lender.behind(lease, handle, () -> endLater(lease));
            return null;
        }
        return recycle(lease, true, wakes);
    }

    /** Ends a loan after the engine tasks that were submitted with the handle. Called by any thread. */
    private void endLater(Lease lease) {
        WakeList wakes = new WakeList();
        try {
            synchronized (ledger) {
                if (!returning.remove(lease)) {
                    return; // the run has ended since, and freed the buffer
                }
                lease.pool.returning--;
                end(lease);
            }
            lender.returned(lease, wakes, recycle(lease, false, wakes));
        } catch (Error e) { // the buffer may be lost
            ledger.broken.by = e;
            throw e;
        } finally {
            recycled(lease); // last: the problem is to be reported to the caller that closes the run
        }
    }

    /** Ends a loan: its buffer is to be recycled by this thread. Called with the lock held. */
    private void end(Lease lease) {
        lease.end();
        lease.pool.end(lease.bytes());
        lease.recycler = Thread.currentThread();
        recycling.add(lease);
    }

    private void recycled(Lease lease) {
        synchronized (ledger) {
            if (recycling.remove(lease) && closed) {
                ledger.notifyAll();
            }
        }
    }

    /**
     * Recycles or frees the buffer of an ended loan; returns the allocator's exception, if it threw.
     *
     * @param entirely false if the caller calls {@link #recycled} afterwards
     */
    private @Nullable Throwable recycle(Lease lease, boolean entirely, WakeList wakes) {
        Pool pool = lease.pool;
        Object value = lease.value();
        Throwable problem = null;
        try {
            if (pool.keyed != null) {
                pool.keyed.release(Objects.requireNonNull(lease.slot()));
            } else if (pool.dynamic) {
                pool.allocator.free(value);
            } else {
                pool.allocator.recycle(value);
            }
        } catch (Throwable t) {
            problem = t;
        }
        synchronized (ledger) {
            try {
                if (!pool.dynamic && pool.keyed == null) {
                    pool.values.push(value);
                }
                ledger.giveBack(pool, lease.bytes(), lease.ahead, wakes);
            } finally {
                if (entirely) {
                    recycled(lease);
                }
            }
        }
        return problem;
    }

    private static IllegalStateException over(Handle<?> handle, Lease lease) {
        return new IllegalStateException("buffer \"" + handle.name() + "\" was released, but "
                + (lease.isOfClosed()
                        ? "the run is closed, which has freed it: release buffers before"
                        : "it was free already: its release rule said so at an earlier release"));
    }

    // ---- for reports

    /** Adds a line of text for each loan with its taker and item, and for each waiter with its edge. */
    void describe(List<String> lines) {
        List<Object> parts = new ArrayList<>();
        long now = ledger.now();
        synchronized (ledger) {
            for (Pool pool : ledger.pools()) {
                if (pool.live > 0 || pool.isAwaited()) {
                    List<String> its = new ArrayList<>();
                    pool.describe(now, its);
                    parts.addAll(its);
                    addLoans(pool, parts);
                }
            }
        }
        for (Object part : parts) { // without the lock: items are the user's
            lines.add(part instanceof Lease lease ? lease.describe(now) : part.toString());
        }
    }

    private void addLoans(Pool pool, List<Object> parts) {
        List<Lease> its = new ArrayList<>();
        leases.forEach(lease -> {
            if (lease.pool == pool) {
                its.add(lease);
            }
        });
        its.stream().limit(MOST_LOANS).forEach(parts::add); // the eldest first
        if (its.size() > MOST_LOANS) {
            parts.add("    and " + (its.size() - MOST_LOANS) + " more");
        }
    }

    /** Returns the names and takers of the buffers that are lent now. */
    List<String> outstanding() {
        List<String> names = new ArrayList<>();
        synchronized (ledger) {
            leases.forEach(lease -> names.add(lease.name() + " (taken by " + lease.taker + ")"));
        }
        Collections.sort(names);
        return names;
    }

    /** Lets the end of the run wait for the engine tasks that access buffers which were not released. */
    void endBehindTasks() {
        Map<Lease, Handle<?>> lent = new LinkedHashMap<>();
        synchronized (ledger) {
            leases.forEach(lease -> {
                Handle<?> handle = lease.handle();
                if (handle != null) {
                    lent.put(lease, handle);
                }
            });
        }
        lent.forEach(lender::endsBehind); // without the lock: submits tasks
    }

    /**
     * Frees every buffer, lent or not, after the end of the run; returns the exceptions of the allocators. Waits for
     * the buffers that an allocator is recycling, also when interrupted.
     */
    List<Throwable> freeAll() {
        List<Throwable> problems = new ArrayList<>();
        List<Lease> lent = new ArrayList<>();
        synchronized (ledger) {
            closed = true;
            leases.forEach(Lease::endWithRun);
            removeAll(leases, lent);
            returning.forEach(Lease::end);
            removeAll(returning, lent);
            Thread current = Thread.currentThread();
            Threads.await(ledger, () -> recycling.allBy(current));
        }
        lent.stream()
                .filter(lease -> lease.pool.keyed == null)
                .forEach(lease -> free(lease.pool, lease.value(), problems));
        for (Pool pool : ledger.pools()) {
            List<Object> values;
            synchronized (ledger) {
                pool.endAll();
                values = List.copyOf(pool.values);
                pool.values.clear();
            }
            values.forEach(value -> free(pool, value, problems));
            if (pool.keyed != null) {
                pool.keyed.removeAll().forEach(value -> free(pool, value, problems));
            }
        }
        return problems;
    }

    private static void removeAll(LeaseList from, List<Lease> into) {
        for (Lease lease = from.first(); lease != null; lease = from.first()) {
            boolean _ = from.remove(lease);
            into.add(lease);
        }
    }

    private static void free(Pool pool, Object value, List<Throwable> problems) {
        try {
            pool.allocator.free(value);
        } catch (Throwable t) {
            problems.add(t);
        }
    }
}
