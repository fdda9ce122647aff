package dev.jacquard.core.graph;

import dev.jacquard.base.text.UserText;
import java.util.Objects;

/**
 * Thrown when a task failed. The message names the task, its place, its data and the consequences. The cause is the
 * exception of the task's body, or a {@link PastFailureException} where a task that was submitted after the report of
 * the failure was to read the missing output of the failed task; failures of other tasks are suppressed exceptions.
 */
public final class TaskFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String task;

    private TaskFailedException(String task, String message, Throwable cause) {
        super(message, cause);
        this.task = task;
    }

    /** Returns the name of the task that failed. */
    public String task() {
        return task;
    }

    /**
     * Returns the exception for {@code failure}, which has an error; the consequences end the message. For
     * implementations of graphs.
     */
    public static TaskFailedException of(Outcome failure, String consequences) {
        Throwable error = Objects.requireNonNull(failure.error());
        return new TaskFailedException(
                failure.task(),
                "task \"" + failure.task() + "\" failed"
                        + (failure.details().isEmpty() ? "" : " on " + failure.details()) + ": " + UserText.of(error)
                        + consequences,
                error);
    }
}
