package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskListener;
import dev.jacquard.core.graph.TaskState;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Hears of all changes of the states of tasks, by their names: so the order of submissions is known where bodies
 * submit. Threads: any.
 */
final class Log implements TaskListener {
    private final Map<String, Long> numbers = new ConcurrentHashMap<>();
    private final Map<String, TaskState> ends = new ConcurrentHashMap<>();
    /** For tasks the earlier ones that the policy has them wait for. */
    private final Map<String, List<String>> edges = new ConcurrentHashMap<>();
    /** The changes that should not have been. */
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    @Override
    public void changed(TaskListener.Change change) {
        if (change.id() < 0 || !isJob(change.task())) {
            return;
        }
        Long known = numbers.putIfAbsent(change.task(), change.id());
        if (known != null && known != change.id()) {
            wrong.add(change.task() + " is number " + known + " and " + change.id());
        }
        TaskState end = ends.get(change.task());
        if (end != null) {
            wrong.add(change.task() + " became " + change.state() + " when it was " + end);
        }
        if (change.state() == TaskState.RUNNING) {
            edges.getOrDefault(change.task(), List.of()).stream()
                    .filter(earlier -> !ends.containsKey(earlier))
                    .forEach(earlier -> wrong.add(change.task() + " ran before " + earlier
                            + " was over, behind which the policy has put it"));
        }
        if (change.state().isOver()) {
            ends.put(change.task(), change.state());
        }
    }

    /** The policy has {@code task} wait for {@code earlier}. Said for each task before it can run. */
    void edges(String task, List<String> earlier) {
        edges.put(task, earlier);
    }

    private static boolean isJob(String task) {
        return task.length() > 1 && task.charAt(0) == 't' && Character.isDigit(task.charAt(1));
    }

    /** The number of a job's task among all that were submitted; -1 for none. */
    long number(Job job) {
        return numbers.getOrDefault("t" + job.id(), -1L);
    }

    /** The end that was told of a job's task; null for none. */
    @Nullable
    TaskState end(Job job) {
        return ends.get("t" + job.id());
    }

    Queue<String> wrong() {
        return wrong;
    }
}
