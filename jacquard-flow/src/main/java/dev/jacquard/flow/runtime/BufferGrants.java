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
 * Grants the buffers of all memory edges of a run, in the order of tickets; see the package's section on buffers for
 * the rule, and for why it cannot deadlock where a run of one item after the other does not.
 *
 * <pre>
 *  item emitted --> arrives at its places --> line of its stage --> in turn, and all buffers free
 *                                                                                 |
 *  what it led to has arrived &lt;-- a copy &lt;-- the stage's queue &lt;-----------------+
 *        |
 *        +--> leaves its place --> lines that were blocked there look again
 * </pre>
 *
 * <p>A line looks again when what kept it back has changed: the place of an item that comes before its own, or the free
 * buffers of one of its pools. So a grant costs the lines and places that it concerns, however many pools there are.
 *
 * <p>Threads: everything is guarded by this one lock, which is taken when a buffer changes hands, and per batch of
 * items on their way to a task that takes buffers. It is held while stages are locked (order: ledger, then stage), and
 * no user code runs under it but comparators. Granted items are appended to the stage's queue under it, since otherwise
 * two threads that free buffers could swap two items.
 */
final class BufferGrants {
    /** The eldest loans that a description names, per memory edge. */
    private static final int MOST_LOANS = 8;

    private final Clock clock;
    private final Runnable signal;
    private final Lender lender;
    private final List<Pool> pools = new ArrayList<>();
    /** Buffers that are lent; a lease is equal to itself only. */
    private final Set<Lease> leases = new LinkedHashSet<>();
    /** Buffers whose loan is over once the engine's tasks that use them are. */
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
        /** A handle on {@code value} that says which loan it is of. */
        Handle<Object> handle(String name, Object value, Lease of);

        /** True if tasks of the engine may still access the buffer. */
        default boolean mayBeInUse(Lease loan) {
            return false;
        }

        /**
         * Calls {@code then} once all tasks are over that were submitted to the engine with accesses to {@code lent}.
         */
        default void behind(Handle<?> lent, Runnable then) {
            then.run();
        }

        /** A buffer came back outside of any call by a user: wakes copies, and tells of what an allocator threw. */
        default void returned(Lease loan, WakeList wakes, @Nullable Throwable problem) {}
    }

    BufferGrants(Clock clock, Runnable signal, Lender lender) {
        this.clock = clock;
        this.signal = signal;
        this.lender = lender;
    }

    /** Before the start only. */
    void add(Pool pool) {
        pools.add(pool);
    }

    List<Pool> pools() {
        return pools;
    }

    // ---- items on their way

    /**
     * Items are about to be appended to the stages whose places these are.
     *
     * @param given the items' tickets; null, or 0 for one that comes from outside and gets the next
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

    /** The ticket of an item that comes from outside now. Called with the lock held. */
    private long outside() {
        tickets += Numbered.SPACING;
        return tickets;
    }

    /** Items whose tickets these are have left {@code place}: what they led to has arrived where it goes. */
    void leave(Place place, long[] left, int count, WakeList wakes) {
        synchronized (this) {
            for (int i = 0; i < count; i++) {
                place.leave(left[i]);
            }
            unblock(place, wakes);
        }
    }

    /** Forgets the items that wait for buffers of {@code stage}, which has ended before its input. */
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

    /** Queues a thread. */
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

    /** More buffers of {@code pool} are free, or another thread waits. */
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
     * Out of turn goes what leaves the smallest size that works to others. Of the items of one ticket one only, where
     * they may ask again: each of them would hold what it got, and they need the rest at the same time.
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

    /** The least ticket at {@code place} may be another now. */
    private void unblock(Place place, WakeList wakes) {
        for (int i = place.blocked.size() - 1; i >= 0; i--) {
            if (i < place.blocked.size()) { // a look may take away others
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
            return; // its comparator threw, and the stage has counted it
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
     * @throws RuntimeException of the allocator, or for its checked exception; the granted buffer is free again then
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

    /** One granted buffer, which is not lent, is free again. */
    private void giveBack(Pool pool, boolean ahead, WakeList wakes) {
        synchronized (this) {
            pool.free++;
            pool.ahead -= ahead ? 1 : 0;
            if (!stopped) {
                look(pool, wakes);
            }
        }
    }

    /** What a copy did not take of the buffers that were granted for its item is free again. */
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

    /** See {@link dev.jacquard.flow.task.Emitter#release}. */
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
            // Of two releases that the rule both told "free", one ends the loan; the buffer is then its alone.
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

    /** The engine's tasks that were submitted with the handle are over. Any thread. */
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

    /** Answers all who wait; no request is granted from now on. */
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

    /** Tells code outside of the graph that waits: the run is over. */
    synchronized void end() {
        ended = true;
        for (Pool pool : pools) {
            pool.fromOutside.forEach(waiter -> waiter.answer(Waiter.Answer.ENDED));
            pool.fromOutside.clear();
        }
    }

    /**
     * Waits for a buffer in line; the thread that opened the session runs nodes meanwhile.
     *
     * @throws CancellationException when the run stopped
     * @throws IllegalStateException when the run is over
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

    /** A thread gives up; when its buffer came meanwhile, that is free again. */
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

    /** A number that changes whenever a request comes, or a buffer is lent. */
    synchronized long progress() {
        long moved = serial + tickets;
        for (Pool pool : pools) {
            moved += pool.taken + pool.free;
        }
        return moved;
    }

    /** True if an item or a thread waits for a buffer. */
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

    /** Names and takers of what is lent now. */
    synchronized List<String> outstanding() {
        List<String> names = new ArrayList<>();
        for (Lease lease : leases) {
            names.add(lease.name() + " (taken by " + lease.taker + ")");
        }
        names.sort(null);
        return names;
    }

    /** After the end: frees every buffer, lent or not, and answers what went wrong. */
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
