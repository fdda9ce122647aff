package dev.jacquard.core.kernel;

/** The implementation of a kernel for the host. */
@FunctionalInterface
public interface HostBody {
    /** Does the work. An exception fails the task. */
    void run(Arguments arguments) throws Exception;
}
