package dev.jacquard.sim;

import dev.jacquard.engine.schedule.PolicyGuard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reports the submission of all tasks to a policy, and collects the edges that it adds. Threads: confined to one run.
 */
final class Submissions {
    private final SimTask[] tasks;
    private final Map<Integer, List<Integer>> later = new HashMap<>();

    private Submissions(SimTask[] tasks) {
        this.tasks = tasks;
    }

    /**
     * Returns the later tasks of the added edges, by the earlier task.
     *
     * @param pending by task: the number of tasks that it waits for, which grows with each edge
     */
    static Map<Integer, List<Integer>> of(SimTask[] tasks, PolicyGuard<SimTask> guard, int[] pending) {
        Submissions all = new Submissions(tasks);
        for (SimTask task : tasks) {
            pending[task.number] += all.submit(task, guard);
        }
        return all.later;
    }

    private int submit(SimTask task, PolicyGuard<SimTask> guard) {
        Set<Integer> added = new HashSet<>();
        boolean[] open = {true};
        guard.submitted(task, earlier -> {
            if (!open[0]) {
                throw new IllegalStateException("the submission of \"" + task.name() + "\" is over");
            }
            if (!(earlier instanceof SimTask its) || its.number >= task.number || tasks[its.number] != its) {
                throw new IllegalArgumentException(
                        "\"" + earlier.name() + "\" was not submitted before \"" + task.name() + '"');
            }
            if (added.add(its.number)) {
                later.computeIfAbsent(its.number, none -> new ArrayList<>()).add(task.number);
            }
        });
        open[0] = false;
        return added.size();
    }
}
