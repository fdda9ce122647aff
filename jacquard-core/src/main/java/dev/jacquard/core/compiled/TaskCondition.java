package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.TaskContext;

/** What a task that decides on another pass does. */
@FunctionalInterface
public interface TaskCondition {
    /** Whether the graph is to run again; what it throws fails the task. {@code context} is valid until it returns. */
    boolean test(TaskContext context) throws Exception;
}
