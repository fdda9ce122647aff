package dev.jacquard.apps.replay;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;

/**
 * The cancelled tasks of a level that are within reach of failed ones. Confined to one check.
 *
 * <p>Each task is asked once for the tasks that it may have cancelled, and these are found by the names and resources
 * that they wait for: a chain of thousands of tasks after a failure is as quick as its length.
 */
final class Reach {
    private final ResourceTree tree;
    private final AccessRights rights;
    private final List<TaskRun> level;
    /** Places of cancelled tasks that nothing has reached yet. */
    private final TreeSet<Integer> open = new TreeSet<>();
    /** By a name in their {@code after}. */
    private final Map<String, List<Integer>> named = new HashMap<>();
    /** By the root of a resource that they read. */
    private final Map<String, List<Integer>> readers = new HashMap<>();

    Reach(ResourceTree tree, AccessRights rights, List<TaskRun> level) {
        this.tree = tree;
        this.rights = rights;
        this.level = level;
        for (int place = 0; place < level.size(); place++) {
            TaskRun task = level.get(place);
            if (task.state() == EndState.CANCELLED) {
                note(place, task.spec());
            }
        }
    }

    private void note(int place, TaskSpec spec) {
        open.add(place);
        for (String before : spec.after()) {
            named.computeIfAbsent(before, name -> new ArrayList<>()).add(place);
        }
        spec.accesses().stream()
                .filter(access -> access.mode().reads())
                .map(access -> tree.root(access.resource()))
                .distinct()
                .forEach(root ->
                        readers.computeIfAbsent(root, name -> new ArrayList<>()).add(place));
    }

    /** The cancelled tasks that no failed one reaches, in the order of submission. */
    List<TaskRun> unreached() {
        Queue<Integer> reasons = new ArrayDeque<>();
        for (int place = 0; place < level.size(); place++) {
            if (level.get(place).state() == EndState.FAILED) {
                reasons.add(place);
            }
        }
        while (!open.isEmpty() && !reasons.isEmpty()) {
            int reason = reasons.remove();
            TaskSpec spec = level.get(reason).spec();
            for (int place : named.getOrDefault(spec.name(), List.of())) {
                reach(place, reasons);
            }
            for (AccessSpec access : spec.accesses()) {
                if (access.mode().writes()) {
                    reachReaders(reason, access, reasons);
                }
            }
        }
        return open.stream().map(level::get).toList();
    }

    private void reachReaders(int reason, AccessSpec written, Queue<Integer> reasons) {
        boolean unordered = tree.isUnordered(written.resource());
        List<Integer> places = readers.get(tree.root(written.resource()));
        if (places != null) {
            places.removeIf(place -> !open.contains(place)); // by other ways
            places.stream()
                    .filter(place -> (reason < place || unordered) && reads(place, written))
                    .forEach(place -> reach(place, reasons));
        }
    }

    private boolean reads(int place, AccessSpec written) {
        return level.get(place).spec().accesses().stream()
                .anyMatch(read -> read.mode().reads() && rights.conflict(written, read));
    }

    private void reach(int place, Queue<Integer> reasons) {
        if (open.remove(place)) {
            reasons.add(place);
        }
    }
}
