package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.TaskContext;

/** What a task that chooses a branch does. */
@FunctionalInterface
public interface TaskChoice {
    /** The branch, from 0 on; what it throws fails the task. {@code context} is valid until it returns. */
    int choose(TaskContext context) throws Exception;
}
