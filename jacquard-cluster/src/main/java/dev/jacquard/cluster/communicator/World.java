package dev.jacquard.cluster.communicator;

import java.util.function.IntConsumer;

/**
 * The ranks of a program that runs in several processes, as one of them sees these. A process with a world that is not
 * closed when the JVM exits ends all ranks: so does an error, a signal or an exit in the midst of the program.
 *
 * <p>Threads: any.
 */
public interface World extends AutoCloseable {
    /** Returns the communicator of all ranks. */
    Communicator communicator();

    /** Returns the library and how it is called, for reports: {@code Open MPI 4.1.4, called by any thread}. */
    String description();

    /**
     * Sets the exit code of all ranks for the case that this process exits before {@link #close}: 1 unless set.
     *
     * @param code from 1 on, since 0 would be success
     */
    void exitWith(int code);

    /**
     * Sets an action that is called with the exit code before this process ends all ranks; after it the process may be
     * gone at any time.
     */
    void whenEndingAll(IntConsumer action);

    /**
     * Ends this rank in good order: waits until all ranks have called this, and reports messages that were not
     * received. Messages that come while it waits are dropped. Does nothing when it is called again. An interrupt ends
     * it without good order.
     */
    @Override
    void close();

    /**
     * Runs the program of this rank, and closes the world. If the program fails, all ranks end with the code of
     * {@link #exitWith}.
     */
    default <T> T run(Program<T> program) throws Exception {
        T result;
        try {
            result = program.run(communicator());
        } catch (Throwable e) {
            abort(e);
            throw e;
        }
        close();
        return result;
    }

    /** Ends all ranks because of a failure of this one. */
    void abort(Throwable failure);

    /**
     * The program of a rank.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    interface Program<T> {
        /** Runs on one thread of this rank. */
        T run(Communicator world) throws Exception;
    }
}
