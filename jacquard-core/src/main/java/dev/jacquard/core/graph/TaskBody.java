package dev.jacquard.core.graph;

/** The body of a task. */
@FunctionalInterface
public interface TaskBody {
    /** Does the work of the task. An exception fails the task. {@code context} is valid until it returns. */
    void run(TaskContext context) throws Exception;
}
