package dev.jacquard.bench.workload;

import java.io.IOException;
import java.util.Map;

/** One system at one workload. Confined to the thread that made it, whatever threads it uses inside. */
public interface Contender extends AutoCloseable {
    /** The key of a round's main figure. */
    String MAIN = "";

    /** The system's name, like {@code forkjoin}. */
    String system();

    /** The number of threads that run tasks, the submitter included. */
    int workers();

    /**
     * Does the work once.
     *
     * @return figures by the end of the workload's name, {@link #MAIN} for the workload as it is called
     * @throws IllegalStateException when the result is wrong: a system that skips work must not win
     */
    Map<String, Double> round() throws Exception;

    /**
     * Returns true if the first rounds are slower than later ones. A program that was compiled before it started needs
     * one of them only.
     */
    default boolean warmsUp() {
        return true;
    }

    /** Ends its threads, deletes its files. */
    @Override
    default void close() throws IOException {}

    /** Throws unless the result is right. */
    default void verify(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException(
                    system() + " with " + workers() + " workers did not do the work: " + what + " is wrong");
        }
    }
}
