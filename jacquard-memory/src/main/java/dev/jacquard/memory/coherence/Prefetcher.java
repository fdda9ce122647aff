package dev.jacquard.memory.coherence;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Brings data that tasks on devices read before they are ready, as soon as no other task is to write it any more.
 *
 * <pre>
 *  announce   the writes of the task are known, before its place in the order is
 *  submitted  its input begins to move; input that a task before it is to write waits for the last such task
 *  over       tasks that waited for this one try again
 * </pre>
 *
 * <p>Nothing is moved twice for it: the data brought is the data that the task will read, in the version that it will
 * read. Only data that no submitted task needs and other memory has is evicted for it. It is brought only where all
 * data that submitted tasks need on the device takes no more than half of its memory, so that later submissions do not
 * evict it. A task that runs sooner and needs the room may still evict it.
 *
 * <p>A task counts as before another when it was announced before the other one's place was known: with several
 * submitters at once that may be too many, never too few.
 *
 * <p>Guarded by the lock of the {@link Coherence}, under which all methods are called.
 */
final class Prefetcher {
    /** The number of tasks per device for which something is brought early at a time. */
    private static final int DEPTH = 8;

    private final Fetcher supply;
    private final Store store;
    /** Counts writes that were announced, and places. */
    private long clock;
    /** The number of plans and writes that were examined. */
    private long looks;

    Prefetcher(Fetcher supply, Store store) {
        this.supply = supply;
        this.store = store;
    }

    /** The tasks in one space for which something could be brought early. Guarded by the same lock. */
    static final class Queue {
        /** The tasks that wait for a look, in the order of submission. */
        private final Deque<AccessPlan> waiting = new ArrayDeque<>();
        /** The number of tasks for which something is being brought, or is there. */
        private int ahead;
        /** The bytes of all parts together that live tasks are to access. */
        private long wantedBytes;

        /** Returns true if all of that fits into {@code limit} bytes. */
        boolean fits(long limit) {
            return wantedBytes <= limit;
        }
    }

    void announce(AccessPlan plan) {
        plan.announced = clock + 1;
        clock += plan.needs.size();
        for (int i = 0; i < plan.needs.size(); i++) {
            DataNeed need = plan.needs.get(i);
            Directory directory = store.directory(need.data());
            if (need.writes()) {
                directory.writes.add(plan.announced + i, need.box(), plan);
            }
            want(plan.space, directory, need);
        }
    }

    /** Moves the plan of a task that goes elsewhere than it was to. */
    void move(AccessPlan plan, Space where, DeferredActions after) {
        leave(plan);
        plan.needs.forEach(need -> unwant(plan.space, store.directory(need.data()), need));
        advance(plan.space, after);
        plan.space = where;
        plan.needs.forEach(need -> want(where, store.directory(need.data()), need));
    }

    private void want(Space space, Directory directory, DataNeed need) {
        if (!space.prefetches()) {
            return;
        }
        Want want = directory.wants.exactly(need.box(), space.isWantedHere);
        if (want == null) {
            want = new Want(need.box(), space);
            directory.wants.add(want);
            space.queue.wantedBytes += space.bytes(need);
        }
        want.tasks++;
        Replica known = directory.find(space, need.box(), false);
        if (known != null) {
            known.wanted = want.tasks;
            store.used(known); // will be: others go before
        }
    }

    private void unwant(Space space, Directory directory, DataNeed need) {
        if (!space.prefetches()) {
            return;
        }
        Want want = directory.wants.exactly(need.box(), space.isWantedHere);
        if (want == null) {
            return;
        }
        want.tasks--;
        if (want.tasks == 0) {
            directory.wants.remove(want);
            space.queue.wantedBytes -= space.bytes(need);
        }
        Replica known = directory.find(space, need.box(), false);
        if (known != null) {
            known.wanted = want.tasks;
        }
    }

    void submitted(AccessPlan plan, DeferredActions after) {
        plan.ordered = ++clock;
        if (plan.space.prefetches() && !plan.begun) {
            plan.space.queue.waiting.add(plan);
            advance(plan.space, after);
        }
    }

    /**
     * Notes that the task brings its missing data itself from now on. Others get their turn when a task is over: a copy
     * that is begun now would delay this task's launch.
     */
    void begun(AccessPlan plan) {
        plan.begun = true;
        leave(plan);
    }

    void over(AccessPlan plan, DeferredActions after) {
        for (int i = 0; i < plan.needs.size(); i++) {
            DataNeed need = plan.needs.get(i);
            Directory directory = store.directory(need.data());
            if (need.writes()) {
                directory.writes.remove(plan.announced + i);
            }
            unwant(plan.space, directory, need);
        }
        leave(plan);
        lookAgain(plan, after);
        advance(plan.space, after);
    }

    /** Looks again at the plans that waited for {@code over}, before all that wait for their first look. */
    private void lookAgain(AccessPlan over, DeferredActions after) {
        if (over.followers.isEmpty()) {
            return;
        }
        for (AccessPlan plan : over.followers.reversed()) {
            if (plan.space.prefetches() && isOpen(plan)) {
                plan.space.queue.waiting.addFirst(plan);
            }
        }
        for (AccessPlan plan : over.followers.reversed()) { // none is added here: none waits for tasks that are over
            advance(plan.space, after); // the second time for a space does nothing
        }
        over.followers.clear();
    }

    private static void leave(AccessPlan plan) {
        if (plan.ahead) {
            plan.ahead = false;
            plan.space.queue.ahead--;
        }
    }

    private static boolean isOpen(AccessPlan plan) {
        return !plan.begun && !plan.over && !plan.told;
    }

    private void advance(Space space, DeferredActions after) {
        Queue queue = space.queue;
        while (queue.ahead < DEPTH && !queue.waiting.isEmpty()) {
            AccessPlan plan = queue.waiting.remove();
            looks++;
            if (isOpen(plan) && queue.fits(space.limit / 2)) {
                bring(plan, space, after);
            }
        }
    }

    /** Begins to move data that can be moved already. */
    private void bring(AccessPlan plan, Space space, DeferredActions after) {
        boolean some = false;
        for (DataNeed need : plan.needs) {
            Directory directory = store.directory(need.data());
            if (need.shares()) {
                continue; // others may add at the same time
            }
            AccessPlan writer = need.reads() ? lastWrite(directory, need, plan) : null;
            if (writer != null) {
                writer.followers.add(plan);
            } else if (need.reads()) {
                some |= supply.bringAhead(directory, need, space, after);
            }
        }
        if (some && !plan.ahead) {
            plan.ahead = true;
            space.queue.ahead++;
        }
    }

    /**
     * Of the live tasks before {@code reader}, or of all when it is null, the last that is to write some of the data of
     * {@code need}.
     */
    @Nullable
    AccessPlan lastWrite(Directory directory, DataNeed need, @Nullable AccessPlan reader) {
        LiveWrites writes = directory.writes;
        looks -= writes.looks();
        AccessPlan last = writes.newest(need.box(), reader == null ? Long.MAX_VALUE : reader.ordered, reader);
        looks += writes.looks();
        return last;
    }

    /** Returns the number of plans and writes that were examined so far. For tests. */
    long looks() {
        return looks;
    }
}
