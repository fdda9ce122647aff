package dev.jacquard.core.compiled;

import dev.jacquard.core.kernel.BodyContext;

/** The body of a task that chooses a branch. */
@FunctionalInterface
public interface TaskChoice {
    /**
     * Returns the number of the chosen branch, from 0 on. An exception fails the task. {@code context} is valid until
     * it returns.
     */
    int choose(BodyContext context) throws Exception;
}
