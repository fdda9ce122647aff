package dev.jacquard.memory.device;

/** A kernel's source is wrong; the message has the compiler's log, with its line numbers. */
public final class KernelCompilationException extends DeviceException {
    private static final long serialVersionUID = 1;

    private final String log;

    /**
     * For devices.
     *
     * @param source the source that was compiled
     * @param device the name of the device that it was compiled for
     * @param log the output of the compiler
     */
    public KernelCompilationException(KernelSource source, String device, String log) {
        super("kernel \"" + source.function() + "\" of " + source.name() + " does not compile for " + device + ":\n"
                + log.strip());
        this.log = log;
    }

    /** Returns the compiler's log. */
    public String log() {
        return log;
    }
}
