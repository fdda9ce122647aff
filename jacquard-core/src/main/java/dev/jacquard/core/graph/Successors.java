package dev.jacquard.core.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that wait for one task, directly or through others: by links, at barriers, for the start of a task that
 * they are a part of, and as a task does for its parts. The counterpart of {@link Predecessors}, without a bound: for
 * the few submissions that ask.
 *
 * <p>Threads: confined to the caller, who holds the lock of the task's scope. What other locks guard is read while
 * others change it: an edge may be missed that is made meanwhile.
 */
final class Successors {
    private final Set<Task> seen = new HashSet<>(); // tasks have no equality but identity
    private final Deque<Task> ahead = new ArrayDeque<>();
    /** By scope, and by the tasks there that a barrier is before: the gate of the next barrier; null for none. */
    private final Map<Scope, Map<Task, @Nullable Gate>> nextGates = new HashMap<>();

    private Successors() {}

    /** The first task found that fulfils {@code what}, of {@code task} and its successors; null when none does. */
    static @Nullable Task find(Task task, Predicate<? super Task> what) {
        return new Successors().from(task, what);
    }

    private @Nullable Task from(Task first, Predicate<? super Task> what) {
        meet(first);
        for (Task task = ahead.poll(); task != null; task = ahead.poll()) {
            if (what.test(task)) {
                return task;
            }
            follow(task.laterTasks());
            Refinement inside = task.refinementNow();
            follow(inside == null ? null : inside.startersNow());
            meet(task.scope().parent());
            Gate gate = gateBehind(task);
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

    private void meet(@Nullable Task task) {
        if (task != null && !task.isOver() && seen.add(task)) {
            ahead.add(task);
        }
    }

    /** The first gate behind {@code task} in its scope; the others are behind that one. */
    private @Nullable Gate gateBehind(Task task) {
        Scope scope = task.scope();
        Gate first = scope.gatesNow();
        if (first == null) {
            return null;
        }
        Map<Task, @Nullable Gate> known = nextGates.computeIfAbsent(scope, its -> nextGates(first));
        return known.containsKey(task) ? known.get(task) : first;
    }

    /** Finds the next gate by the links of barriers: a task behind a barrier has a link of the last one before it. */
    private static Map<Task, @Nullable Gate> nextGates(Gate first) {
        Map<Task, @Nullable Gate> next = new HashMap<>();
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
