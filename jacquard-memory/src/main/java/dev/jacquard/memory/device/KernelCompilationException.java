package dev.jacquard.memory.device;

/** A kernel's source is wrong; the message has the compiler's log, with its line numbers. */
public final class KernelCompilationException extends DeviceException {
    private static final long serialVersionUID = 1;

    private final String log;

    /**
     * For devices.
     *
     * @param source what was compiled
     * @param device for what
     * @param log what the compiler said
     */
    public KernelCompilationException(KernelSource source, String device, String log) {
        super("kernel \"" + source.function() + "\" of " + source.name() + " does not compile for " + device + ":\n"
                + log.strip());
        this.log = log;
    }

    /** Returns what the compiler said. */
    public String log() {
        return log;
    }
}
