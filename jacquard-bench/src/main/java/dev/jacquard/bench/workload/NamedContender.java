package dev.jacquard.bench.workload;

/** A contender that is told its name and its number of threads. */
public abstract class NamedContender implements Contender {
    private final String system;
    private final int workers;

    /** For subclasses; see {@link #system()} and {@link #workers()}. */
    protected NamedContender(String system, int workers) {
        this.system = system;
        this.workers = workers;
    }

    @Override
    public final String system() {
        return system;
    }

    @Override
    public final int workers() {
        return workers;
    }
}
