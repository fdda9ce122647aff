package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A view of the workers, the tasks, and the reasons for their waits, at about one moment. The snapshot is taken while
 * the workers go on: no two facts in it are sure to have been true at the same instant, and a task that moved while the
 * snapshot was taken may be missing.
 *
 * <p>{@link #toString} returns a text like a thread dump. Immutable.
 *
 * <p>Source: the project's design, section 8.
 *
 * @param nanos the time since the beginning of the session's trace, on the trace's clock
 * @param workers all workers
 * @param tasks the tasks that were not over, in no certain order; of very many only some
 * @param missing the number of further tasks that were not over: in no place that can be looked at, on their way
 *     between places, or too many to list
 * @param notes further remarks
 * @param streams the open runs of flow graphs, in lines of text
 */
public record RunSnapshot(
        long nanos,
        List<WorkerView> workers,
        List<TaskView> tasks,
        long missing,
        List<String> notes,
        List<String> streams) {
    /** The most lines per group of the text; the rest is counted. */
    private static final int MOST_LINES = 40;

    public RunSnapshot {
        workers = List.copyOf(workers);
        tasks = List.copyOf(tasks);
        notes = List.copyOf(notes);
        streams = List.copyOf(streams);
    }

    /**
     * A worker.
     *
     * @param index from 0
     * @param thread the name of its thread
     * @param doing the activity of the worker, in words
     */
    public record WorkerView(int index, String thread, String doing) {
        @Override
        public String toString() {
            return "worker " + index + " (" + thread + ") " + doing;
        }
    }

    /**
     * A task that is not over.
     *
     * @param graph the name of its graph
     * @param name its name
     * @param state the state of the task
     * @param where the worker that runs the task, or the queue that holds it; empty when the task waits for something
     *     else
     * @param waitsFor the tasks and events that the task waits for; of very many only some
     * @param details its accesses, and where it was submitted when the session is in checking mode
     */
    public record TaskView(
            String graph, String name, TaskState state, String where, List<Wait> waitsFor, String details) {
        public TaskView {
            waitsFor = List.copyOf(waitsFor);
        }

        /** Returns true if the task waits for something other than a worker. */
        public boolean isBlocked() {
            return !waitsFor.isEmpty();
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder().append('"').append(name).append('"');
            if (!where.isEmpty()) {
                text.append(' ').append(where);
            }
            for (int i = 0; i < waitsFor.size(); i++) {
                text.append(i == 0 ? " waits for " : ", for ").append(waitsFor.get(i));
            }
            return details.isEmpty()
                    ? text.toString()
                    : text.append("  [").append(details).append(']').toString();
        }
    }

    /**
     * Something that a task waits for.
     *
     * @param what another task's name in quotes, or another cause, in words
     * @param why the resource and the accesses, or the origin of the edge; may be empty
     */
    public record Wait(String what, String why) {
        @Override
        public String toString() {
            return why.isEmpty() ? what : what + " (" + why + ')';
        }
    }

    /** Returns the tasks with running bodies. */
    public List<TaskView> running() {
        return those(task -> !task.isBlocked() && task.state() == TaskState.RUNNING);
    }

    /** Returns the tasks that wait for a worker. */
    public List<TaskView> ready() {
        return those(task -> !task.isBlocked() && task.state() != TaskState.RUNNING);
    }

    /** Returns the tasks that wait for other tasks, for their own parts, or for a resource. */
    public List<TaskView> blocked() {
        return those(TaskView::isBlocked);
    }

    private List<TaskView> those(Predicate<TaskView> which) {
        return tasks.stream().filter(which).toList();
    }

    /** Returns a text like a thread dump. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("snapshot at ")
                .append(nanos / 1_000_000)
                .append(" ms, taken while work goes on: ")
                .append(running().size())
                .append(" running, ")
                .append(ready().size())
                .append(" ready, ")
                .append(blocked().size())
                .append(" blocked");
        text.append(missing == 0 ? "" : ", " + missing + " not seen");
        append(text, "workers", workers);
        append(text, "running", running());
        append(text, "ready", ready());
        append(text, "blocked", blocked());
        append(text, "besides", notes);
        append(text, "streams", streams);
        return text.append('\n').toString();
    }

    private static void append(StringBuilder text, String title, List<?> lines) {
        if (lines.isEmpty()) {
            return;
        }
        text.append('\n').append(title);
        List<Object> shown = new ArrayList<>(lines.subList(0, Math.min(MOST_LINES, lines.size())));
        shown.forEach(line -> text.append("\n  ").append(line));
        if (shown.size() < lines.size()) {
            text.append("\n  … ").append(lines.size() - shown.size()).append(" more");
        }
    }
}
