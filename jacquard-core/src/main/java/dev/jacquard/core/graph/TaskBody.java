package dev.jacquard.core.graph;

import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.kernel.KernelBody;

/** The body of a task of a live graph, or of a task that is recorded as one. */
@FunctionalInterface
public interface TaskBody extends KernelBody {
    /** Does the work of the task. An exception fails the task. {@code context} is valid until it returns. */
    void run(TaskContext context) throws Exception;

    /**
     * {@inheritDoc}
     *
     * @throws ClassCastException if {@code context} is no {@link TaskContext}
     */
    @Override
    default void run(BodyContext context) throws Exception {
        run((TaskContext) context);
    }
}
