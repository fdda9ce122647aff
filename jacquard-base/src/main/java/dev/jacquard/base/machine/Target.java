package dev.jacquard.base.machine;

/**
 * The target that an implementation of a task runs on: the host's processors, or a kind of accelerator.
 *
 * <p>Source: the abstract runtime system document, section II-C2.
 *
 * @param name lower-case words by which users and messages call it; targets with equal names are equal
 */
public record Target(String name) {
    /** The processors that run Java. */
    public static final Target HOST = new Target("host");
    /** Devices reached through OpenCL. */
    public static final Target OPENCL = new Target("opencl");
    /** Devices reached through CUDA. */
    public static final Target CUDA = new Target("cuda");
    /** Devices that need no hardware, whose kernels are Java. */
    public static final Target EMULATED = new Target("emulated");

    public Target {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a target needs a name, not \"" + name + '"');
        }
    }

    /** A target of the user's own. */
    public static Target named(String name) {
        return new Target(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
