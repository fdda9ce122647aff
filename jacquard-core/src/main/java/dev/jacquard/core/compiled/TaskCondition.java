package dev.jacquard.core.compiled;

import dev.jacquard.core.kernel.BodyContext;

/** The body of a task that decides on another pass. */
@FunctionalInterface
public interface TaskCondition {
    /**
     * Returns true if the graph is to run again. An exception fails the task. {@code context} is valid until it
     * returns.
     */
    boolean test(BodyContext context) throws Exception;
}
