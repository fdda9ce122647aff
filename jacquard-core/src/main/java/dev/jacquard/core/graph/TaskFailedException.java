package dev.jacquard.core.graph;

import dev.jacquard.core.execution.FailureLog;
import java.util.Objects;

/**
 * A task failed: says which, where, on what data, and what came of it. The cause is what its body threw; failures of
 * other tasks are suppressed exceptions.
 */
public final class TaskFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String task;

    private TaskFailedException(String task, String message, Throwable cause) {
        super(message, cause);
        this.task = task;
    }

    /** The name of the task that failed. */
    public String task() {
        return task;
    }

    /** For {@code failure}, whose error is set; the consequences end the message. For those who make graphs. */
    public static TaskFailedException of(Outcome failure, String consequences) {
        Throwable error = Objects.requireNonNull(failure.error());
        return new TaskFailedException(
                failure.task(),
                "task \"" + failure.task() + "\" failed on " + failure.details() + ": " + FailureLog.text(error)
                        + consequences,
                error);
    }
}
