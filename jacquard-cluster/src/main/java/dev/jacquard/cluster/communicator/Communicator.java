package dev.jacquard.cluster.communicator;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A group of ranks that exchange messages. Each rank has its own object; together these are the communicator.
 *
 * <pre>{@code
 * double[] halo = new double[n];
 * comm.exchange(Elements.of(edge), right, TAG, Elements.of(halo), left, TAG);
 * double[] norm = {local};
 * comm.allreduce(Elements.of(norm), Reduction.sum());
 * }</pre>
 *
 * <p>Messages between two ranks are received in the order in which they were sent, as far as tags and sources allow a
 * choice. A message of elements carries its type and size, a value the name of its class: a receive with another type,
 * or with room for less, fails with both sides in its message, and the content of that message is lost. A receive with
 * room for more is filled from its begin.
 *
 * <p>All ranks call the same collective operations in the same order. Reductions combine the ranks in a fixed binary
 * tree over the numbers of the ranks: the results have the same bits each time, whatever carries the messages.
 *
 * <p>Threads: any number at a time, if the ranks were started so. Two threads of a rank that call collective operations
 * of one communicator need an order that is the same on all ranks: {@link #duplicate} gives each its own communicator.
 *
 * <p>Blocking operations are interruptible. Unless a text says otherwise, an argument that cannot be right, such as a
 * rank out of range, is an {@link IllegalArgumentException} before anything is sent, and an operation that fails throws
 * {@link CommunicationException}.
 *
 * <p>Source: the MPI standard; seed of the component front, section 5.3.5.
 */
public interface Communicator extends Messages, CollectiveOperations, AutoCloseable {
    /** Returns the number of this rank, from 0 on. */
    int rank();

    /** Returns the number of ranks. */
    int size();

    /** Returns the name for messages, such as {@code world}. */
    String name();

    // ---- communicators

    /**
     * Returns the communicator of the ranks that give the same color, which are numbered by their keys, and by their
     * numbers here where keys are equal. Collective.
     *
     * @param color from 0 on; -1 for a rank that gets none
     * @return null with the color -1
     */
    @Nullable
    Communicator split(int color, int key) throws InterruptedException;

    /** Returns a communicator of the same ranks with messages separate from this one's. Collective. */
    default Communicator duplicate() throws InterruptedException {
        return duplicate(name() + ".copy");
    }

    /**
     * Returns a communicator of the same ranks with messages separate from this one's. Collective.
     *
     * @param name for messages
     */
    Communicator duplicate(String name) throws InterruptedException;

    /**
     * Ends the program on all ranks. Operations of other ranks fail with {@link AbortedException}; with MPI the
     * processes end.
     *
     * @param code the exit code, from 1 on
     * @return an exception to throw, which says the same
     */
    AbortedException abort(int code, String reason);

    /**
     * Returns the handle of MPI's communicator of the same ranks, for native libraries: an address or a number, as the
     * implementation has it. Empty for ranks inside one process. The first call is collective, but for the world's.
     */
    OptionalLong handle() throws InterruptedException;

    /**
     * Returns an action for another thread of this rank, which serves other ranks until it is asked to end: while it
     * waits for messages, that alone keeps nothing going. To be run once.
     */
    Runnable service(Runnable action);

    /**
     * Observes the calling thread from now on, for reports of programs that hang; one thread of a rank, the last one.
     *
     * @return asked by any thread: the wait of the thread, or null if it does not wait, or its message is under way
     */
    Supplier<@Nullable Waiting> observe();

    /**
     * A wait of a thread.
     *
     * @param number greater than the numbers of earlier waits
     * @param text such as {@code a message of rank 1 with tag 5}
     */
    record Waiting(long number, String text) {}

    /** Returns the messages that have come for this rank and were not received, a line each, for reports. */
    List<String> unreceived();

    /**
     * Ends the use of this communicator on this rank: messages that were not received are dropped. That of the world
     * ends with its ranks.
     */
    @Override
    void close();
}
