package dev.jacquard.bench.workload;

import java.io.IOException;
import java.util.Map;

/** One system at one workload. Confined to the thread that made it, whatever threads it uses inside. */
public abstract class Contender implements AutoCloseable {
    /** The key of a round's main figure. */
    public static final String MAIN = "";

    private final String system;
    private final int workers;

    /**
     * For subclasses.
     *
     * @param system the system's name, like {@code forkjoin}
     * @param workers threads that run tasks, the submitter included
     */
    protected Contender(String system, int workers) {
        this.system = system;
        this.workers = workers;
    }

    /** The system's name. */
    public final String system() {
        return system;
    }

    /** The number of threads that run tasks. */
    public final int workers() {
        return workers;
    }

    /**
     * Does the work once.
     *
     * @return figures by the end of the workload's name, {@link #MAIN} for the workload as it is called
     * @throws IllegalStateException when the result is wrong: a system that skips work must not win
     */
    public abstract Map<String, Double> round() throws Exception;

    /**
     * Returns true if the first rounds are slower than later ones. A program that was compiled before it started needs
     * one of them only.
     */
    public boolean warmsUp() {
        return true;
    }

    /** Ends its threads, deletes its files. */
    @Override
    public void close() throws IOException {}

    /** Throws unless the result is right. */
    protected final void verify(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException(
                    system() + " with " + workers() + " workers did not do the work: " + what + " is wrong");
        }
    }
}
