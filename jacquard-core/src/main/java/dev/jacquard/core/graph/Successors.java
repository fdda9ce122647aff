package dev.jacquard.core.graph;

import dev.jacquard.core.graph.Gates.Gate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the tasks that cannot be over before one task is: by links, to sub-tasks that wait for their parent's
 * start, from a part to its whole, and to barriers. The counterpart of {@link Predecessors}.
 *
 * <pre>
 *                of a submission, find                     of a wait, findBehind
 *  asks          if a task may come after another          if a thread would wait for itself
 *  lock          the lock of the task's scope              none
 *  goes on       without a bound: few submissions ask      up to {@link #MOST_FOLLOWED} tasks
 *  barriers      the next one after each task              in the scopes around the task, which runs: barriers
 *                                                          in front of it are open
 * </pre>
 *
 * <p>Both searches read fields guarded by other locks while other threads change them, as {@link SnapshotCollector}
 * does, and miss an edge that is made concurrently. A wait that {@code findBehind} misses is reported by the stall
 * watch.
 *
 * <p>Threads: confined to the caller.
 */
final class Successors {
    private static final int MOST_FOLLOWED = 10_000;

    private final Set<TaskNode> seen = new HashSet<>(); // tasks have no equality but identity
    private final Deque<TaskNode> ahead = new ArrayDeque<>();

    /** The gate of the next barrier, by scope and by the tasks there that come after a barrier; null for none. */
    private final Map<Scope, Map<TaskNode, @Nullable Gate>> nextGates = new HashMap<>();

    private Successors() {}

    /**
     * Returns the first task found that fulfils {@code what}, of {@code task} and its successors; null when none does.
     * Under the lock of the task's scope.
     */
    static @Nullable TaskNode find(TaskNode task, Predicate<? super TaskNode> what) {
        Successors walk = new Successors();
        walk.meet(task);
        return walk.next(what, Integer.MAX_VALUE, true);
    }

    /** Returns the same for {@code running}, which has a running body, without a lock. */
    static @Nullable TaskNode findBehind(TaskNode running, Predicate<? super TaskNode> what) {
        Successors walk = new Successors();
        for (TaskNode its = running; its != null; its = its.scope().parent()) {
            walk.meet(its);
            for (Gate gate = Gates.firstOf(its.scope()); gate != null; gate = gate.next) {
                walk.meet(gate.task);
            }
        }
        return walk.next(what, MOST_FOLLOWED, false);
    }

    private @Nullable TaskNode next(Predicate<? super TaskNode> what, int most, boolean gates) {
        for (TaskNode task = ahead.poll(); task != null && seen.size() < most; task = ahead.poll()) {
            if (what.test(task)) {
                return task;
            }
            follow(task.laterTasks());
            Refinement inside = task.refinementNow();
            follow(inside == null ? null : inside.startersNow());
            meet(task.scope().parent());
            Gate gate = gates ? gateBehind(task) : null;
            meet(gate == null ? null : gate.task);
        }
        return null;
    }

    private void follow(@Nullable Link links) {
        for (Link link = links; link != null; link = link.next) {
            if (!link.fired) {
                meet(link.later);
            }
        }
    }

    private void meet(@Nullable TaskNode task) {
        if (task != null && !task.isOver() && seen.add(task)) {
            ahead.add(task);
        }
    }

    /** Returns the first gate after {@code task} in its scope; the other gates are after that one. */
    private @Nullable Gate gateBehind(TaskNode task) {
        Scope scope = task.scope();
        Gate first = Gates.firstOf(scope);
        if (first == null) {
            return null;
        }
        Map<TaskNode, @Nullable Gate> known = nextGates.computeIfAbsent(scope, its -> nextGates(first));
        return known.containsKey(task) ? known.get(task) : first;
    }

    /** Finds the next gate by the links of barriers: a task after a barrier has a link of the last one before it. */
    private static Map<TaskNode, @Nullable Gate> nextGates(Gate first) {
        Map<TaskNode, @Nullable Gate> next = new HashMap<>();
        for (Gate gate = first; gate != null; gate = gate.next) {
            for (Link link = gate.task.laterTasks(); link != null; link = link.next) {
                if (link.later != null) {
                    next.put(link.later, gate.next);
                }
            }
        }
        return next;
    }
}
