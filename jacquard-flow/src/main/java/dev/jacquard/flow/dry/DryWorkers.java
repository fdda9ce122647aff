package dev.jacquard.flow.dry;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.flow.dry.Travelling.Worked;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the nodes of a dry run in virtual time, in one thread, the same each time. A task has two stages: the first
 * begins an item if a worker and a copy are free, the second ends it when its time has passed. All else takes no time.
 *
 * <p>Threads: confined to the thread of the dry run.
 */
final class DryWorkers implements Workers, WorkerContext {
    private final Breakage broken = new Breakage();
    private final List<Node> ready = new ArrayList<>();
    private final Trace trace;
    private final TraceLane lane;
    /** The number of workers; 0 for as many as there is work. */
    private final int workers;

    private final Map<String, Timed> tasks = new HashMap<>();
    private long now;
    private int busy;
    /** The work that ended last. */
    private @Nullable Worked last;

    /** The work of one task. */
    private static final class Timed {
        /** The number of items that the task can work on at once; 0 for any. */
        final int copies;
        /** The number of items at work, and of those that wait for their turn, up to which a copy takes another. */
        final long most;
        /** The ends of the items at work. */
        final PriorityQueue<Long> working = new PriorityQueue<>();
        /** The times at which the results of these, and of items that wait for their turn, are passed on. */
        final PriorityQueue<Long> ends = new PriorityQueue<>();

        Timed(int copies, int inFlight) {
            this.copies = copies;
            this.most = (long) copies * inFlight;
        }

        boolean takesMore() {
            return copies == 0 || (working.size() < copies && ends.size() < most);
        }
    }

    DryWorkers(int workers) {
        this.workers = workers;
        this.trace = new Trace(() -> now, 0);
        this.lane = trace.lane("dry run");
    }

    /** Returns the name of the second stage of a task. */
    static String endOf(String task) {
        return task + " (end)";
    }

    /**
     * Adds a task, which can work on {@code copies} items at once; 0 for any number.
     *
     * @param inFlight the number of items per copy that are at work, or wait for their turn
     */
    void add(String task, int copies, int inFlight) {
        Timed its = new Timed(copies, inFlight);
        tasks.put(task, its);
        tasks.put(endOf(task), its);
    }

    long now() {
        return now;
    }

    /** Returns the work that ended last; null if there was none. */
    @Nullable
    Worked last() {
        return last;
    }

    /** Records that an item begins, which ends at {@code end}, and whose results are passed on at {@code turn}. */
    void begin(String task, long end, long turn) {
        busy++;
        its(task).working.add(end);
        its(task).ends.add(turn);
    }

    /** Records that the results of the next item of {@code task} are passed on. */
    void end(String task, Worked worked) {
        its(task).ends.remove();
        last = worked;
    }

    private Timed its(String task) {
        Timed its = tasks.get(task);
        if (its == null) {
            throw new AssertionError(task);
        }
        return its;
    }

    /** Runs until nothing is ready or at work. */
    void settle() {
        do {
            for (Node node = next(); node != null; node = next()) {
                ready.remove(node);
                node.run(this);
            }
        } while (advance());
    }

    /** Returns the node to run now: one that takes no time, or else the first that may begin an item. */
    private @Nullable Node next() {
        for (Timed its : tasks.values()) {
            while (!its.working.isEmpty() && its.working.element() <= now) {
                its.working.remove();
                busy--;
            }
        }
        Node first = null;
        for (Node node : ready) {
            Timed its = tasks.get(node.name());
            if (its == null || isEnd(node)) {
                if (its == null || its.ends.isEmpty() || its.ends.element() <= now) {
                    return node;
                }
            } else if (first == null && (workers == 0 || busy < workers) && its.takesMore()) {
                first = node;
            }
        }
        return first;
    }

    private static boolean isEnd(Node node) {
        return node.name().endsWith(endOf(""));
    }

    /** Advances the time to the next end of an item; returns false if none is at work. */
    private boolean advance() {
        long next = Long.MAX_VALUE;
        for (Timed its : tasks.values()) {
            next = its.ends.isEmpty() ? next : Math.min(next, its.ends.element());
            next = its.working.isEmpty() ? next : Math.min(next, its.working.element());
        }
        now = next == Long.MAX_VALUE ? now : Math.max(now, next);
        return next != Long.MAX_VALUE;
    }

    @Override
    public int workers() {
        return 1;
    }

    @Override
    public void ready(Node node) {
        ready.add(node);
    }

    @Override
    public void awaitUntil(BooleanSupplier done) {
        settle();
        if (!done.getAsBoolean()) {
            throw new IllegalStateException("the dry run stands still");
        }
    }

    @Override
    public void signal() {}

    @Override
    public Timer schedule(long nanosFromNow, Runnable action) {
        return () -> false;
    }

    @Override
    public Breakage broken() {
        return broken;
    }

    @Override
    public Thread dedicated(String name, Runnable body) {
        throw new UnsupportedOperationException("a dry run has one thread");
    }

    @Override
    public Trace trace() {
        return trace;
    }

    @Override
    public int index() {
        return 0;
    }

    @Override
    public TraceLane lane() {
        return lane;
    }
}
