package dev.jacquard.core.kernel;

/** The body of a task that stays as it was declared: of a compiled graph, or an implementation of a kernel. */
@FunctionalInterface
public interface KernelBody {
    /** Does the work of the task. An exception fails the task. {@code context} is valid until it returns. */
    void run(BodyContext context) throws Exception;
}
