package dev.jacquard.core.graph;

/** What a task does. */
@FunctionalInterface
public interface TaskBody {
    /** The work; what it throws fails the task. {@code context} is valid until it returns. */
    void run(TaskContext context) throws Exception;
}
