package dev.jacquard.core.graph;

import dev.jacquard.core.execution.KnownGraphs;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Dispatcher.Timer;
import java.time.Duration;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The domain's reference to a graph, which may go while the domain stays, and the deadlines of the graph that have not
 * passed, with one timer for the earliest. The timer does not keep the graph alive. A deadline that has passed leaves
 * nothing, and so does each one of a graph that is cancelled or gone. Of deadlines set one after the other that are due
 * within a millisecond only the last is kept: a loop may set one per step.
 *
 * <p>Threads: any; guarded by the monitor of this object, as is what a deadline says of its graph.
 */
final class GraphReference extends KnownGraphs.Reference<TaskGraph> {
    /** The time by which a deadline may be noticed later, so that it is kept together with later ones. */
    private static final long TOGETHER_NANOS = 1_000_000;

    /** The deadlines by time; null before the first. */
    private @Nullable NavigableSet<Deadline> pending;
    /** The deadline that was set last. */
    private @Nullable Deadline newest;
    /** The timer of the earliest deadline; null if there is no deadline. */
    private @Nullable Timer timer;
    /** True if the graph is cancelled, so that it needs no deadlines. */
    private boolean cancelled;
    /** The reason why a deadline cancels the graph; null if none does. Written under the monitor. */
    private volatile @Nullable String lateBy;
    /** True once an await has reported {@link #lateBy}. */
    private final AtomicBoolean lateTold = new AtomicBoolean();

    /**
     * One or several deadlines.
     *
     * @param first the time when the first of them is due
     * @param due the time when the last of them is due
     * @param fromNow the duration of the last, when it was set
     */
    private record Deadline(long first, long due, Duration fromNow) {}

    GraphReference(TaskGraph graph) {
        super(graph);
    }

    /** Adds a deadline in {@code nanos}, which messages name as {@code fromNow}. */
    synchronized void add(long nanos, Duration fromNow, Dispatcher dispatcher) {
        if (cancelled) {
            return;
        }
        if (pending == null) {
            pending = new TreeSet<>(Comparator.comparing(Deadline::due, (one, other) -> Long.signum(one - other)));
        }
        long due = dispatcher.clock().nanoTime() + nanos;
        Deadline last = newest;
        long first = due;
        if (last != null && due - last.due >= 0 && due - last.first <= TOGETHER_NANOS && pending.remove(last)) {
            first = last.first;
        }
        boolean isNext = pending.isEmpty() || due - pending.first().due < 0;
        newest = new Deadline(first, due, fromNow);
        pending.add(newest);
        if (isNext) {
            arm(pending, dispatcher);
        }
    }

    /** Makes the timer one of the earliest deadline. */
    private void arm(NavigableSet<Deadline> deadlines, Dispatcher dispatcher) {
        if (timer != null) {
            timer.cancel();
        }
        long now = dispatcher.clock().nanoTime();
        timer = deadlines.isEmpty()
                ? null
                : dispatcher.scheduleOnTimer(Math.max(0, deadlines.first().due - now), () -> look(dispatcher));
    }

    /** Notifies the graph of a deadline that has passed. By the timers' thread. */
    private void look(Dispatcher dispatcher) {
        Deadline passed = takePassed(dispatcher);
        TaskGraph graph = get();
        if (passed == null || graph == null) {
            return;
        }
        synchronized (this) { // an await sees that the graph is late, or that it is over
            if (graph.isOver()) {
                return;
            }
            lateBy = "its deadline of " + Durations.text(passed.fromNow) + " passed";
        }
        graph.failures().rememberUnlessEmpty(); // an await may have reported it already
        graph.cancelOnTimer();
    }

    /** Returns the reason why a deadline cancels the graph; null if none does. Any thread. */
    @Nullable
    String lateBy() {
        return lateBy;
    }

    /** Returns true for the first await that reports a deadline. */
    boolean tellsLate() {
        return lateTold.compareAndSet(false, true);
    }

    /** Returns true if a deadline has passed, and no await has reported it yet. */
    boolean hasLateness() {
        return lateBy != null && !lateTold.get();
    }

    /** Removes the deadlines that have passed; returns the last of them, or null if there is none. */
    private synchronized @Nullable Deadline takePassed(Dispatcher dispatcher) {
        Deadline last = null;
        if (pending != null) { // else all were removed
            long now = dispatcher.clock().nanoTime();
            while (!pending.isEmpty() && pending.first().due - now <= 0) {
                last = pending.pollFirst();
            }
            arm(pending, dispatcher);
        }
        return last;
    }

    /** Removes all deadlines for good, since the graph is cancelled. */
    synchronized void cancelled() {
        cancelled = true;
        gone();
    }

    @Override
    protected synchronized void gone() {
        pending = null;
        newest = null;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
