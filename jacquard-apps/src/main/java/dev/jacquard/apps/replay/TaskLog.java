package dev.jacquard.apps.replay;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes on one task while it runs. Written by the thread that submits the task, then by the thread that runs its body;
 * read by the main thread when the graph is over, which orders it after both.
 */
final class TaskLog {
    private static final long NOT_RUN = -1;

    final TaskSpec spec;
    /** The sub-tasks', in order. */
    final List<TaskLog> subs;

    final List<Demoted> demoted = new ArrayList<>();
    /** Null if the task was never submitted, since its parent did not run. */
    @Nullable
    Task<?> handle;
    /** Nanoseconds from the start of the run. */
    long start = NOT_RUN;

    long bodyEnd;
    int worker;
    /** The failure that the program does not describe. */
    @Nullable
    Throwable fault;

    TaskLog(TaskSpec spec) {
        this.spec = spec;
        this.subs = spec.refine().stream().map(TaskLog::new).toList();
    }

    boolean ran() {
        return start != NOT_RUN;
    }

    /** The result of the task. A task that was never submitted is cancelled. */
    TaskResult result() {
        List<TaskResult> inner = subs.stream().map(TaskLog::result).toList();
        Execution execution = ran() ? new Execution(start, end(), workerName()) : null;
        return new TaskResult(spec.name(), endState(), execution, demoted, inner);
    }

    /** The task is over when its body and its sub-tasks are. */
    private long end() {
        return subs.stream().filter(TaskLog::ran).mapToLong(TaskLog::end).reduce(bodyEnd, Math::max);
    }

    private String workerName() {
        return worker == 0 ? Execution.MAIN : "w" + worker;
    }

    private EndState endState() {
        Task<?> its = handle;
        if (its == null) {
            return EndState.CANCELLED;
        }
        TaskState state = its.state();
        return switch (state) {
            case DONE -> EndState.DONE;
            case FAILED -> EndState.FAILED;
            case CANCELLED -> EndState.CANCELLED;
            default -> throw new IllegalStateException("task \"" + spec.name() + "\" is not over: " + state);
        };
    }
}
