package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Grants the buffers of all memory edges of a run, in the order of tickets. The package's section on buffers states the
 * rule, and why it cannot deadlock where a run of one item after the other does not.
 *
 * <pre>
 *  item emitted --> arrives at its places --> line of its stage --> in turn, and all buffers free
 *                                                                                 |
 *  what it led to has arrived &lt;-- a copy &lt;-- the stage's queue &lt;-----------------+
 *        |
 *        +--> leaves its place --> lines that were blocked there look again
 * </pre>
 *
 * <p>A line is examined again when its obstacle has changed: the place of an item that comes before its first item, or
 * the free buffers of one of its pools. So the cost of a grant depends on the lines and places that it concerns, not on
 * the number of pools.
 *
 * <p>Threads: all fields are guarded by this. The lock is taken when a buffer changes hands, and once per batch of
 * items on their way to a task that takes buffers. Stages are locked while it is held (order: ledger, then stage), and
 * no user code except comparators runs under it. Granted items are appended to the stage's queue under this lock, since
 * otherwise two threads that free buffers could swap two items.
 */
final class BufferGrants {
    /** The number of loans, eldest first, that a description names per memory edge. */
    private static final int MOST_LOANS = 8;

    private final Clock clock;
    private final Runnable signal;
    private final Lender lender;
    private final List<Pool> pools = new ArrayList<>();
    /** The leases of lent buffers; a lease is equal only to itself. */
    private final Set<Lease> leases = new LinkedHashSet<>();
    /** The leases that end once the engine tasks that use their buffers are over. */
    private final Set<Lease> returning = new LinkedHashSet<>();
    /** The last ticket that was given to an item from outside: see {@link Numbered#below}. */
    private long tickets;

    /** The largest ticket of an item that got its first buffers, and may ask for more. */
    private long newest;

    private long serial;
    private boolean stopped;
    private boolean ended;

    /** The run, as the ledger sees it. */
    interface Lender {
        /** Returns a handle on {@code value} that refers to its loan. */
        Handle<Object> handle(String name, Object value, Lease of);

        /** Returns true if engine tasks may still access the buffer. */
        default boolean mayBeInUse(Lease loan) {
            return false;
        }

        /** Calls {@code then} once all engine tasks that were submitted with accesses to {@code lent} are over. */
        default void behind(Handle<?> lent, Runnable then) {
            then.run();
        }

        /**
         * Called when a buffer came back outside of any call by a user. Wakes copies, and reports the exception of the
         * allocator, if any.
         */
        default void returned(Lease loan, WakeList wakes, @Nullable Throwable problem) {}
    }

    BufferGrants(Clock clock, Runnable signal, Lender lender) {
        this.clock = clock;
        this.signal = signal;
        this.lender = lender;
    }

    /** Adds a pool. Called before the start only. */
    void add(Pool pool) {
        pools.add(pool);
    }

    List<Pool> pools() {
        return pools;
    }

    // ---- items on their way

    /**
     * Announces items that are about to be appended to the stages of {@code places}.
     *
     * @param given the items' tickets; null, or 0 for an item that comes from outside and gets the next ticket
     * @return the items with their tickets
     */
    @Nullable
    Object[] arrive(Place[] places, @Nullable Object[] items, long @Nullable [] given, int count) {
        @Nullable Object[] numbered = new @Nullable Object[count];
        synchronized (this) {
            for (int i = 0; i < count; i++) {
                Object item = items[i];
                assert item != null;
                long ticket = given == null || given[i] == 0 ? outside() : given[i];
                numbered[i] = new Numbered(item, ticket);
                for (Place place : places) {
                    place.arrive(ticket);
                }
            }
        }
        return numbered;
    }

    /** Returns the ticket of an item that comes from outside now. Called with the lock held. */
    private long outside() {
        tickets += Numbered.SPACING;
        return tickets;
    }

    /** Removes items by their tickets from {@code place}; the items that they led to have arrived at their places. */
    void leave(Place place, long[] left, int count, WakeList wakes) {
        synchronized (this) {
            for (int i = 0; i < count; i++) {
                place.leave(left[i]);
            }
            unblock(place, wakes);
        }
    }

    /** Discards the items of {@code stage} that wait for buffers; the stage has ended before its input. */
    synchronized void close(Stage stage, WakeList wakes) {
        Line line = stage.line();
        if (line != null) {
            line.clear();
            if (line.past != null) {
                line.past.close();
                unblock(line.past, wakes);
            }
        }
        Place here = stage.here();
        if (here != null) {
            here.close();
            unblock(here, wakes);
        }
    }

    // ---- requests

    /** Queues {@code count} items of a stage for the buffers that each of them needs. */
    @Nullable
    TaskInstance request(Line line, @Nullable Object[] items, int count, @Nullable TaskInstance woken) {
        WakeList wakes = new WakeList();
        wakes.add(woken);
        synchronized (this) {
            if (stopped) {
                line.stage.discard(count);
            } else {
                long now = clock.nanoTime();
                for (int i = 0; i < count; i++) {
                    Object item = items[i];
                    assert item != null;
                    line.add(new Granted(
                            line.stage.needs(), Numbered.itemOf(item), Numbered.ticketOf(item), serial++, now));
                }
                look(line, wakes);
            }
        }
        return wakes.detach();
    }

    /** Queues a thread that waits for a buffer. */
    synchronized void request(Waiter waiter, WakeList wakes) {
        Pool pool = waiter.pool;
        if (stopped || ended) {
            waiter.answer(stopped ? Waiter.Answer.STOPPED : Waiter.Answer.ENDED);
            return;
        }
        waiter.sinceNanos = clock.nanoTime();
        waiter.serial = serial++;
        if (waiter.outside) {
            waiter.ticket = outside();
            pool.outside.arrive(waiter.ticket);
            pool.fromOutside.add(waiter);
        } else {
            pool.inBodies.add(waiter);
        }
        look(pool, wakes);
    }

    /** Grants the requests that are in turn, since more buffers of {@code pool} are free or another thread waits. */
    private void look(Pool pool, WakeList wakes) {
        while (pool.free > 0 && !pool.inBodies.isEmpty()) {
            grant(pool.inBodies.remove());
        }
        lookOutside(pool, wakes);
        for (Line line : pool.takers) {
            look(line, wakes);
        }
    }

    private void lookOutside(Pool pool, WakeList wakes) {
        boolean gone = false;
        for (Waiter first = pool.fromOutside.peek();
                first != null && pool.free > 0 && isInTurn(first);
                first = pool.fromOutside.peek()) {
            pool.fromOutside.remove();
            pool.outside.leave(first.ticket);
            grant(first);
            gone = true;
        }
        if (gone) {
            unblock(pool.outside, wakes);
        }
    }

    private static boolean isInTurn(Waiter waiter) {
        for (Place place : waiter.pool.before) {
            if (place.least() < waiter.ticket) {
                if (!place.blockedOutside.contains(waiter.pool)) {
                    place.blockedOutside.add(waiter.pool);
                }
                return false;
            }
        }
        return true;
    }

    private void grant(Waiter waiter) {
        Pool pool = waiter.pool;
        pool.free--;
        pool.waitNanos += clock.nanoTime() - waiter.sinceNanos;
        waiter.answer(Waiter.Answer.GRANTED);
        signal.run();
    }

    /** Grants the requests of {@code line} that are in turn, as long as there are buffers for the first. */
    private void look(Line line, WakeList wakes) {
        while (!stopped && line.size() > 0) {
            Pool lacking = lacking(line);
            if (lacking != null) {
                unblocked(line);
                return;
            }
            Place blocking = line.blocking();
            boolean ahead = blocking != null;
            if (ahead && !mayGoAhead(line)) {
                block(line, blocking);
                return;
            }
            unblocked(line);
            grant(line, ahead, wakes);
        }
    }

    private static @Nullable Pool lacking(Line line) {
        for (Need need : line.stage.needs()) {
            if (need.pool().free < need.count()) {
                return need.pool();
            }
        }
        return null;
    }

    /**
     * Returns true if the first request may be granted out of turn: the smallest size that is enough must remain for
     * others. Among items of one ticket that may ask again, only one goes ahead: each of several would hold its
     * buffers, and all would need the rest at the same time.
     */
    private boolean mayGoAhead(Line line) {
        if (line.mayAskAgain() && line.first && line.ticket() <= newest) {
            return false;
        }
        for (Need need : line.stage.needs()) {
            if (need.pool().ahead + need.count() > need.pool().surplus) {
                return false;
            }
        }
        return true;
    }

    private static void block(Line line, @Nullable Place place) {
        if (line.blockedAt != place) {
            unblocked(line);
            line.blockedAt = place;
            if (place != null) {
                place.blocked.add(line);
            }
        }
    }

    private static void unblocked(Line line) {
        if (line.blockedAt != null) {
            line.blockedAt.blocked.remove(line);
            line.blockedAt = null;
        }
    }

    /** Examines the requests that {@code place} blocks, since its least ticket may have changed. */
    private void unblock(Place place, WakeList wakes) {
        for (int i = place.blocked.size() - 1; i >= 0; i--) {
            if (i < place.blocked.size()) { // a look may remove other lines
                look(place.blocked.get(i), wakes);
            }
        }
        if (!place.blockedOutside.isEmpty()) {
            List<Pool> again = List.copyOf(place.blockedOutside);
            place.blockedOutside.clear();
            again.forEach(pool -> lookOutside(pool, wakes));
        }
    }

    private void grant(Line line, boolean ahead, WakeList wakes) {
        Granted item = line.next();
        if (item == null) {
            return; // the comparator threw, and the stage has counted the item
        }
        long now = clock.nanoTime();
        item.ahead = ahead;
        for (Need need : line.stage.needs()) {
            Pool pool = need.pool();
            pool.free -= need.count();
            pool.ahead += ahead ? need.count() : 0;
            pool.waitNanos += now - item.sinceNanos;
        }
        item.fill();
        line.place.leave(item.ticket());
        if (line.past != null) {
            line.past.arrive(item.ticket());
            newest = Math.max(newest, item.ticket());
        }
        if (!line.stage.acceptGranted(item, wakes)) {
            free(item);
        }
        unblock(line.place, wakes);
    }

    private static void free(Granted item) {
        for (int i = 0; i < item.needs().length; i++) {
            Pool pool = item.needs()[i].pool();
            int left = item.drain(i);
            pool.free += left;
            pool.ahead -= item.ahead ? left : 0;
        }
    }

    // ---- loans

    /**
     * Turns a granted buffer into a loan. The allocator of a dynamic edge is called without the lock.
     *
     * @param ahead true if the buffer was granted out of turn
     * @throws RuntimeException if the allocator throws any exception; the granted buffer is free again then
     */
    Handle<Object> lend(Pool pool, String taker, ReleaseRule rule, boolean ahead, WakeList wakes) {
        Object value = null;
        if (pool.dynamic) {
            try {
                value = pool.allocator.allocate();
            } catch (Throwable t) {
                giveBack(pool, ahead, wakes);
                throw Pool.unchecked("allocating a buffer of memory edge \"" + pool.name, t);
            }
        }
        long now = clock.nanoTime();
        synchronized (this) {
            Object lent = value == null ? pool.values.pop() : value;
            Lease lease = new Lease(this, pool, lent, taker, rule, now, ahead);
            leases.add(lease);
            return lease.handle(lender.handle(pool.name + "[" + pool.lend() + "]", lent, lease));
        }
    }

    /** Frees one granted buffer that is not lent. */
    private void giveBack(Pool pool, boolean ahead, WakeList wakes) {
        synchronized (this) {
            pool.free++;
            pool.ahead -= ahead ? 1 : 0;
            if (!stopped) {
                look(pool, wakes);
            }
        }
    }

    /** Frees the buffers that were granted for {@code item} and that its copy did not take. */
    void giveBack(Granted item, WakeList wakes) {
        if (item.unused()) {
            synchronized (this) {
                free(item);
                for (Need need : item.needs()) {
                    if (!stopped) {
                        look(need.pool(), wakes);
                    }
                }
            }
        }
    }

    /** Releases a buffer once: see {@link dev.jacquard.flow.task.Emitter#release}. */
    @SuppressWarnings("ConstantValue") // users may not check for nulls
    void release(Handle<?> handle, WakeList wakes) {
        if (handle == null) {
            throw new NullPointerException("null was released: release the handle that take() answered");
        }
        if (!(handle.loan() instanceof Lease lease) || lease.ledger != this) {
            throw new IllegalArgumentException("buffer \"" + handle.name() + "\" was released, but no memory edge of "
                    + "this run lent it: release it where it was taken");
        }
        if (lease.isOver()) {
            throw twice(handle);
        }
        if (!lease.released()) {
            return;
        }
        synchronized (this) {
            // If the rule answers true to two releases, only one of them ends the loan and owns the buffer.
            if (!leases.remove(lease)) {
                throw twice(handle);
            }
            returning.add(lease);
        }
        if (lender.mayBeInUse(lease)) {
            lender.behind(handle, () -> endLater(lease));
        } else {
            try {
                end(lease, wakes);
            } catch (Exception e) {
                throw Pool.unchecked("freeing buffer \"" + handle.name(), e);
            }
        }
    }

    /** Ends a loan after the engine tasks that were submitted with the handle. Called by any thread. */
    private void endLater(Lease lease) {
        WakeList wakes = new WakeList();
        Throwable problem = null;
        try {
            end(lease, wakes);
        } catch (Throwable t) {
            problem = t;
        }
        lender.returned(lease, wakes, problem);
    }

    private void end(Lease lease, WakeList wakes) throws Exception {
        Pool pool = lease.pool;
        synchronized (this) {
            if (!returning.remove(lease)) {
                return; // the run has ended meanwhile, and freed the buffer
            }
            lease.end();
            pool.live--;
        }
        Object value = lease.value;
        try {
            if (pool.dynamic) {
                pool.allocator.free(value);
            } else {
                pool.allocator.recycle(value);
            }
        } finally {
            if (!pool.dynamic) {
                synchronized (this) {
                    pool.values.push(value);
                }
            }
            giveBack(pool, lease.ahead, wakes);
        }
    }

    private static IllegalStateException twice(Handle<?> handle) {
        return new IllegalStateException("buffer \"" + handle.name() + "\" was released, but it was free already: "
                + "its release rule said so at an earlier release");
    }

    /** Answers all waiting threads; no request is granted from now on. */
    synchronized void stop() {
        stopped = true;
        for (Pool pool : pools) {
            pool.inBodies.forEach(waiter -> waiter.answer(Waiter.Answer.STOPPED));
            pool.fromOutside.forEach(waiter -> waiter.answer(Waiter.Answer.STOPPED));
            pool.inBodies.clear();
            pool.fromOutside.clear();
            for (Line line : pool.takers) {
                line.clear();
            }
        }
        signal.run();
    }

    /** Tells waiting threads outside of the graph that the run is over. */
    synchronized void end() {
        ended = true;
        for (Pool pool : pools) {
            pool.fromOutside.forEach(waiter -> waiter.answer(Waiter.Answer.ENDED));
            pool.fromOutside.clear();
        }
    }

    /**
     * Waits for a buffer in line. The thread that opened the session runs nodes meanwhile.
     *
     * @throws CancellationException if the run stopped
     * @throws IllegalStateException if the run is over
     */
    void await(Waiter waiter, Workers workers, WakeList wakes) throws InterruptedException {
        request(waiter, wakes);
        try {
            workers.awaitUntil(waiter::answered);
        } catch (InterruptedException | RuntimeException e) {
            abandon(waiter, wakes);
            throw e;
        }
        if (waiter.answer() == Waiter.Answer.ENDED) {
            throw new IllegalStateException("the run is over, so that no buffer of memory edge \"" + waiter.pool.name
                    + "\" is lent any more: take buffers before the last item is done");
        }
        if (waiter.answer() != Waiter.Answer.GRANTED) {
            throw new CancellationException("the run stopped while " + waiter.name
                    + " waited for a buffer of memory edge \"" + waiter.pool.name + "\"");
        }
    }

    /** Removes a thread that gives up; a buffer that was granted to it meanwhile is free again. */
    private void abandon(Waiter waiter, WakeList wakes) {
        Pool pool = waiter.pool;
        synchronized (this) {
            if (waiter.answer() == Waiter.Answer.GRANTED) {
                pool.free++;
            } else if (waiter.outside) {
                if (pool.fromOutside.remove(waiter)) {
                    pool.outside.leave(waiter.ticket);
                    unblock(pool.outside, wakes);
                }
            } else {
                pool.inBodies.remove(waiter);
            }
            if (!stopped) {
                look(pool, wakes);
            }
        }
    }

    // ---- for reports

    /** Returns a number that changes whenever a request comes, or a buffer is lent. */
    synchronized long progress() {
        long moved = serial + tickets;
        for (Pool pool : pools) {
            moved += pool.taken + pool.free;
        }
        return moved;
    }

    /** Returns true if an item or a thread waits for a buffer. */
    synchronized boolean isAwaited() {
        for (Pool pool : pools) {
            if (isAwaited(pool)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAwaited(Pool pool) {
        for (Line line : pool.takers) {
            if (line.size() > 0) {
                return true;
            }
        }
        return !pool.inBodies.isEmpty() || !pool.fromOutside.isEmpty();
    }

    /** Adds a line of text for each loan with its taker, and for each waiter with its edge. */
    synchronized void describe(List<String> lines) {
        long now = clock.nanoTime();
        for (Pool pool : pools) {
            if (pool.live > 0 || isAwaited(pool)) {
                describe(pool, now, lines);
            }
        }
    }

    private void describe(Pool pool, long now, List<String> lines) {
        int granted = pool.size - pool.free - pool.live;
        lines.add("  memory edge \"" + pool.name + "\": of " + pool.size + " buffers " + pool.live + " lent, " + granted
                + " granted, " + pool.free + " free");
        for (Line line : pool.takers) {
            if (line.size() > 0) {
                lines.add("    " + line.size() + (line.size() == 1 ? " item of \"" : " items of \"")
                        + line.stage.plan().name() + "\" wait: " + why(line));
            }
        }
        for (Waiter waiter : pool.inBodies) {
            lines.add("    " + waiter.name + " waits since " + age(now - waiter.sinceNanos));
        }
        for (Waiter waiter : pool.fromOutside) {
            lines.add("    " + waiter.name + " waits since " + age(now - waiter.sinceNanos));
        }
        int shown = 0;
        for (Lease lease : leases) { // the eldest first
            if (lease.pool == pool && shown++ < MOST_LOANS) {
                lines.add("    " + lease.name() + ", taken by " + lease.taker + ", lent since "
                        + age(now - lease.sinceNanos));
            }
        }
        if (shown > MOST_LOANS) {
            lines.add("    and " + (shown - MOST_LOANS) + " more");
        }
    }

    private static String why(Line line) {
        Pool lacking = lacking(line);
        if (lacking != null) {
            return "\"" + lacking.name + "\" has " + lacking.free + " free";
        }
        Place place = line.blocking();
        return place == null ? "about to be granted" : "an elder item, which may ask first, is at \"" + place.of + '"';
    }

    static String age(long nanos) {
        return nanos >= 1_000_000_000L ? Math.round(nanos / 1e8) / 10.0 + " s" : nanos / 1_000_000L + " ms";
    }

    /** Returns the names and takers of the buffers that are lent now. */
    synchronized List<String> outstanding() {
        List<String> names = new ArrayList<>();
        for (Lease lease : leases) {
            names.add(lease.name() + " (taken by " + lease.taker + ")");
        }
        names.sort(null);
        return names;
    }

    /** Frees every buffer, lent or not, after the end of the run; returns the exceptions of the allocators. */
    List<Throwable> freeAll() {
        List<Throwable> problems = new ArrayList<>();
        List<Lease> lent;
        synchronized (this) {
            lent = new ArrayList<>(leases);
            lent.addAll(returning);
            lent.forEach(Lease::end);
            leases.clear();
            returning.clear();
        }
        lent.forEach(lease -> free(lease.pool, lease.value, problems));
        for (Pool pool : pools) {
            List<Object> values;
            synchronized (this) {
                pool.live = 0;
                values = List.copyOf(pool.values);
                pool.values.clear();
            }
            values.forEach(value -> free(pool, value, problems));
        }
        return problems;
    }

    private static void free(Pool pool, Object value, List<Throwable> problems) {
        try {
            pool.allocator.free(value);
        } catch (Throwable t) {
            problems.add(t);
        }
    }
}
