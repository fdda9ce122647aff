package dev.jacquard.base.machine;

/**
 * The target that an implementation of a task runs on: the host's processors, or a kind of accelerator.
 *
 * <p>Source: the abstract runtime system document, section II-C2.
 *
 * @param name lower-case words by which users and messages call it; targets with equal names are equal
 */
public record ExecutionTarget(String name) {
    /** The processors that run Java. */
    public static final ExecutionTarget HOST = new ExecutionTarget("host");
    /** Devices reached through OpenCL. */
    public static final ExecutionTarget OPENCL = new ExecutionTarget("opencl");
    /** Devices reached through CUDA. */
    public static final ExecutionTarget CUDA = new ExecutionTarget("cuda");
    /** Devices that need no hardware, with kernels in Java. */
    public static final ExecutionTarget EMULATED = new ExecutionTarget("emulated");

    public ExecutionTarget {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a target needs a name, not \"" + name + '"');
        }
    }

    /** A target of the user's own. */
    public static ExecutionTarget named(String name) {
        return new ExecutionTarget(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
