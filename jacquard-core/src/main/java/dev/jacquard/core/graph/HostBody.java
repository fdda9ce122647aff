package dev.jacquard.core.graph;

/** The implementation of a kernel for the host. */
@FunctionalInterface
public interface HostBody {
    /** The work. What it throws fails the task. */
    void run(Arguments arguments) throws Exception;
}
