package dev.jacquard.apps.replay;

import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The edges between the tasks of a level, as their accesses, the program and barriers demand them. Immutable.
 *
 * <p>The entries that later tasks may conflict with are kept by the root of their resource, so that a task is compared
 * with the tasks of its own resources alone.
 */
final class LevelEdges {
    /** Receives the edges, in the order of their later tasks. */
    @FunctionalInterface
    interface Sink {
        /**
         * An edge between two tasks of the level.
         *
         * @param earlier its number in the level
         * @param later its number in the level
         * @param kind the reason
         * @param label the resource of an implicit edge; else empty
         */
        void edge(int earlier, int later, Kind kind, String label);
    }

    /**
     * A task and an access of it that later ones may conflict with.
     *
     * @param task its number in the level
     * @param access the access
     */
    private record Entry(int task, AccessSpec access) {}

    private final ResourceTree tree;
    private final AccessRights rights;
    private final boolean ordersAll;

    /**
     * @param ordersAll true if tasks that exclude each other in any order have an edge too, in the order of the file
     */
    LevelEdges(ResourceTree tree, boolean ordersAll) {
        this.tree = tree;
        this.rights = new AccessRights(tree);
        this.ordersAll = ordersAll;
    }

    void of(List<TaskSpec> tasks, Sink sink) {
        Map<String, Integer> numbers = new HashMap<>();
        Set<Integer> sinks = new TreeSet<>(); // since the last barrier: tasks that nothing waits for yet
        Map<String, List<Entry>> live = new HashMap<>();
        int barrier = -1;
        for (int i = 0; i < tasks.size(); i++) {
            TaskSpec task = tasks.get(i);
            Set<Integer> before = new HashSet<>();
            explicit(task, i, numbers, before, sink);
            implicit(task, i, live, before, sink);
            numbers.put(task.name(), i);
            int least = barrier;
            if (barrier >= 0 && before.stream().noneMatch(earlier -> earlier >= least)) {
                sink.edge(barrier, i, Kind.BARRIER, "");
                before.add(barrier);
            }
            sinks.removeAll(before);
            if (task.has(TaskFlag.SYNCHRONIZING)) {
                for (int earlier : sinks) {
                    sink.edge(earlier, i, Kind.BARRIER, "");
                }
                sinks.clear();
                live.clear();
                barrier = i;
            }
            sinks.add(i);
        }
    }

    private static void explicit(
            TaskSpec task, int later, Map<String, Integer> numbers, Set<Integer> before, Sink sink) {
        Set<Integer> earlier = new TreeSet<>();
        task.after().forEach(name -> {
            Integer number = numbers.get(name);
            if (number != null) {
                earlier.add(number);
            }
        });
        earlier.forEach(number -> sink.edge(number, later, Kind.EXPLICIT, ""));
        before.addAll(earlier);
    }

    private void implicit(TaskSpec task, int later, Map<String, List<Entry>> live, Set<Integer> before, Sink sink) {
        Set<String> known = new HashSet<>();
        for (AccessSpec access : task.accesses()) {
            if (tree.isUnordered(access.resource()) && !ordersAll) {
                continue;
            }
            List<Entry> entries = live.computeIfAbsent(tree.root(access.resource()), root -> new ArrayList<>());
            entries.removeIf(entry -> {
                if (entry.task == later || !rights.conflict(entry.access, access)) {
                    return false;
                }
                if (known.add(entry.task + " " + access.resource())) {
                    sink.edge(entry.task, later, Kind.IMPLICIT, access.resource());
                }
                before.add(entry.task);
                return rights.covers(access, entry.access); // all that conflicts with it conflicts with this one, too
            });
            entries.add(new Entry(later, access));
        }
    }
}
