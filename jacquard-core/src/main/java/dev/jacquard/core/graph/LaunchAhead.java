package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.base.concurrent.SpinLock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.residency.DataClaim;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * The launch of a task's kernel before the task is ready: the kernel is enqueued early on a device when the task waits
 * only for kernels that were enqueued before on the same stream of the device. The device runs them one after the
 * other, without the host in between. In all other respects the task goes its usual way: it becomes ready when the
 * tasks before it are over, and its body finds the launch made.
 *
 * <pre>
 *  P launches    per link to a later task T on the same device: T.told += 1
 *                T.told = T.waiting: T is launched ahead, and so on with the successors of T
 *  P is over     per such link: T.told -= 1, then T.waiting -= 1
 * </pre>
 *
 * Both counters are compared under the lock of the scope, under which edges are added and {@code told} grows. While P
 * is live, {@code waiting} counts its edge; an edge that goes is taken from {@code told} first. So if both are equal,
 * with {@code waiting} read first, every edge comes from an enqueued kernel.
 *
 * <p>Threads: see the fields.
 */
final class LaunchAhead {
    private static final VarHandle TOLD = Fields.handle(MethodHandles.lookup(), "told", int.class);

    /** The tasks with kernels that were put off since their devices had enough to do, by place. */
    static final class Queues {
        private final Map<Place, Deque<TaskNode>> later = new ConcurrentHashMap<>();

        private Deque<TaskNode> of(Place place) {
            return later.computeIfAbsent(place, any -> new ConcurrentLinkedDeque<>());
        }
    }

    private final TargetSelection route;

    /** The number of edges from tasks with enqueued kernels. Grows under the scope's lock, shrinks without. */
    @SuppressWarnings("unused") // through its VarHandle
    private int told;
    /** The number of the stream that has all these kernels; negative if there are several. Under the scope's lock. */
    private int stream;
    /**
     * The place and stream of the enqueued kernel, while later tasks count it; else null. Written under the scope's
     * lock.
     */
    private @Nullable Told its;
    /** True if the task is over, or about to be: later tasks count it no more. Under the scope's lock. */
    private boolean ended;

    /** The claim with which the kernel was enqueued early, before the task was ready. Guarded by the monitor. */
    private @Nullable DataClaim claim;
    /** True if the task is ready, or over: nothing is enqueued early any more. Guarded by the monitor. */
    private boolean closed;

    private record Told(Place place, int stream) {}

    LaunchAhead(TargetSelection route) {
        this.route = route;
    }

    // ---- successors of a task

    /**
     * Enqueues the kernels of the successors of {@code task}, which runs with {@code claim} and has an enqueued kernel.
     * By its worker.
     */
    static void told(TaskNode task, DataClaim claim) {
        LaunchAhead own = ownOf(task);
        int stream = claim.stream();
        // Read without the lock: a task enqueued early has enqueued its successors, and counts as enqueued until its
        // end.
        if (own != null && own.its == null && stream >= 0) {
            goOn(own.followers(task, stream));
        }
    }

    /** Enqueues the kernels of {@code ready}, and all kernels that may be enqueued then. */
    private static void goOn(Deque<TaskNode> ready) {
        for (TaskNode task = ready.poll(); task != null; task = ready.poll()) {
            LaunchAhead own = ownOf(task);
            if (own != null && own.tell(task) == DataClaim.Ahead.TOLD) {
                own.followers(task, own.stream).descendingIterator().forEachRemaining(ready::addFirst);
            }
        }
    }

    private static @Nullable LaunchAhead ownOf(TaskNode task) {
        StagedData data = task.data();
        return data == null ? null : data.ahead();
    }

    /**
     * Returns the tasks that can be enqueued now, in the order of submission: the kernel of {@code task} was enqueued
     * on stream {@code number}.
     */
    private Deque<TaskNode> followers(TaskNode task, int number) {
        Deque<TaskNode> ready = new ArrayDeque<>(1);
        SpinLock lock = task.scope().lock;
        lock.lock();
        try {
            if (its == null && !ended) {
                its = new Told(task.place(), number);
                countFollowers(task, ready);
            }
        } finally {
            lock.unlock();
        }
        return ready;
    }

    private void countFollowers(TaskNode task, Deque<TaskNode> ready) {
        Told mine = Objects.requireNonNull(its);
        for (Link link = task.laterTasks(); link != null; link = link.next) {
            TaskNode later = link.later;
            LaunchAhead next = later == null || link.fired ? null : ownOf(later);
            if (later != null && next != null && later.place() == mine.place) {
                next.countEdge(mine.stream);
                if (next.isBehindToldOnly(later)) {
                    ready.addFirst(later); // links are newest first
                }
            }
        }
    }

    /** Counts an edge from a task with a kernel enqueued on stream {@code number}. Under the scope's lock. */
    private void countEdge(int number) {
        boolean first = (int) TOLD.getAndAdd(this, 1) == 0;
        stream = first || stream == number ? number : -1;
    }

    /** Returns true if {@code task} waits only for kernels that were enqueued on one stream. Under the scope's lock. */
    private boolean isBehindToldOnly(TaskNode task) {
        int waiting = task.waiting();
        return stream >= 0 && waiting > 0 && waiting == (int) TOLD.getVolatile(this);
    }

    /**
     * Counts a new edge from {@code earlier} to {@code later}, if the kernel of {@code earlier} was enqueued. Under the
     * scope's lock.
     */
    static void linked(TaskNode earlier, TaskNode later) {
        LaunchAhead own = ownOf(later); // first: a worker may be writing to the earlier task
        LaunchAhead before = own == null ? null : ownOf(earlier);
        if (own != null && before != null && before.its != null && later.place() == before.its.place) {
            own.countEdge(before.its.stream);
        }
    }

    /** Notes that {@code task} is about to be over: its edges are not counted any more. By its worker. */
    void over(TaskNode task) {
        Told mine = closeFollowers(task);
        abandon();
        if (mine != null) {
            nextOf(task.scope().domain.aheads, mine.place);
        }
    }

    private @Nullable Told closeFollowers(TaskNode task) {
        SpinLock lock = task.scope().lock;
        lock.lock();
        try {
            Told mine = its;
            its = null;
            ended = true;
            for (Link link = mine == null ? null : task.laterTasks(); link != null; link = link.next) {
                TaskNode later = link.later;
                LaunchAhead next = later == null || link.fired ? null : ownOf(later);
                if (mine != null && later != null && next != null && later.place() == mine.place) {
                    TOLD.getAndAdd(next, -1);
                }
            }
            return mine;
        } finally {
            lock.unlock();
        }
    }

    /** Enqueues kernels that were put off, on a device that has completed some work. */
    private static void nextOf(Queues aheads, Place place) {
        Deque<TaskNode> later = aheads.of(place);
        DataClaim.Ahead last = DataClaim.Ahead.NEVER;
        for (TaskNode task = later.poll(); task != null; task = last == DataClaim.Ahead.LATER ? null : later.poll()) {
            LaunchAhead own = ownOf(task);
            last = own == null ? DataClaim.Ahead.NEVER : own.tell(task);
            if (own != null && last == DataClaim.Ahead.TOLD) {
                goOn(own.followers(task, own.stream));
            }
        }
    }

    // ---- the task itself

    /** Enqueues the kernel on the device early, if possible. Any thread. */
    private synchronized DataClaim.Ahead tell(TaskNode task) {
        StagedData data = task.data();
        if (closed || claim != null || data == null || !data.mayLaunchAhead()) {
            return DataClaim.Ahead.NEVER;
        }
        SpinLock lock = task.scope().lock;
        int before;
        lock.lock();
        try {
            if (task.fate() != null || task.scope().graph.isCancelled() || !isBehindToldOnly(task)) {
                return DataClaim.Ahead.NEVER;
            }
            before = stream; // constant from here on: all edges are there, and counted
        } finally {
            lock.unlock();
        }
        DataClaim made = data.takesAhead() ? data.make(false) : null;
        DataClaim.Ahead became = made == null ? DataClaim.Ahead.LATER : route.launchAhead(made, before);
        if (became == DataClaim.Ahead.TOLD || became == DataClaim.Ahead.REFUSED) {
            claim = made;
        } else if (became == DataClaim.Ahead.LATER) {
            task.scope().domain.aheads.of(task.place()).addFirst(task);
        }
        return became;
    }

    /**
     * Returns the claim with which the kernel of the task, which is ready, was enqueued early; null if it was not. By
     * its worker.
     */
    synchronized @Nullable DataClaim take() {
        DataClaim its = claim;
        claim = null;
        closed = true;
        return its;
    }

    /**
     * Returns true if the kernel was enqueued on the device, which may have run it: a cancel of the graph comes too
     * late for the task, which is ready. By its worker.
     */
    synchronized boolean hasBegun() {
        return claim != null && claim.hasBegun();
    }

    /**
     * Returns true if the device has completed the enqueued work of the task, which ends without its body. If not,
     * {@code then} is run once the device has. The task's rights last as long as its work. By its worker.
     *
     * @param claimed the claim that the task has made since; null for none
     */
    synchronized boolean isSettled(@Nullable DataClaim claimed, Runnable then) {
        closed = true;
        DataClaim told = claimed == null ? claim : claimed;
        return told == null || told.isSettled(then);
    }

    private void abandon() {
        DataClaim made = take();
        if (made != null) {
            made.release(false);
        }
    }
}
