package dev.jacquard.cluster.communicator;

import dev.jacquard.base.codec.Codec;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A group of ranks that exchange messages. Each rank has an object of its own; together these are the communicator.
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
public interface Communicator extends AutoCloseable {
    /** Any rank, as the source of a message. */
    int ANY_SOURCE = -1;

    /** Any tag of a message. */
    int ANY_TAG = -1;

    /** Returns the number of this rank, from 0 on. */
    int rank();

    /** Returns the number of ranks. */
    int size();

    /** Returns the name for messages, such as {@code world}. */
    String name();

    // ---- messages

    /**
     * Sends elements; returns when their memory can be changed. A large message waits for its receive.
     *
     * @param tag from 0 on
     */
    void send(Elements elements, int to, int tag) throws InterruptedException;

    /** Starts to send elements, whose memory must stay as it is until the request has ended. */
    Request sendAsync(Elements elements, int to, int tag);

    /** Sends a value. */
    <T> void sendValue(Codec<T> codec, T value, int to, int tag) throws InterruptedException;

    /** Starts to send a value, which can be changed at once. */
    <T> Request sendValueAsync(Codec<T> codec, T value, int to, int tag);

    /**
     * Receives a message.
     *
     * @param from a rank, or {@link #ANY_SOURCE}
     * @param tag a tag, or {@link #ANY_TAG}
     */
    Status receive(Elements into, int from, int tag) throws InterruptedException;

    /** Starts to receive a message. Receives that fit the same message get theirs in the order of these calls. */
    Request receiveAsync(Elements into, int from, int tag);

    /** Receives a value. */
    <T> T receiveValue(Codec<T> codec, int from, int tag) throws InterruptedException;

    /** Sends and receives at once, which cannot wait for each other. The memories must not overlap. */
    Status exchange(Elements elements, int to, int sendTag, Elements into, int from, int receiveTag)
            throws InterruptedException;

    /** Waits for a message and sets it aside. */
    Message probe(int from, int tag) throws InterruptedException;

    /** Sets a message aside if it has come; returns null otherwise. */
    @Nullable
    Message poll(int from, int tag);

    /**
     * Waits until a request has ended, and returns its place in the list.
     *
     * @param requests one or more; those that have ended before count
     */
    int awaitAny(List<Request> requests) throws InterruptedException;

    // ---- collective operations

    /** Waits until all ranks have called this. */
    void barrier() throws InterruptedException;

    /** Starts a barrier. */
    Request barrierAsync();

    /** Copies the elements of {@code root} to those of all. */
    void broadcast(Elements elements, int root) throws InterruptedException;

    /** Starts a broadcast. */
    Request broadcastAsync(Elements elements, int root);

    /** Returns the value of {@code root}, whose own one counts alone. */
    <T> T broadcastValue(Codec<T> codec, @Nullable T value, int root) throws InterruptedException;

    /** Replaces the elements of {@code root} by the reduction of those of all ranks; the others keep theirs. */
    void reduce(Elements elements, Reduction with, int root) throws InterruptedException;

    /** Starts a reduction to one rank. */
    Request reduceAsync(Elements elements, Reduction with, int root);

    /** Replaces the elements of all ranks by their reduction. */
    void allreduce(Elements elements, Reduction with) throws InterruptedException;

    /** Starts a reduction to all ranks. */
    Request allreduceAsync(Elements elements, Reduction with);

    /**
     * Reduces blocks that are numbered over all ranks, those of lower ranks first, in a fixed binary tree over the
     * numbers of the blocks. The result has the same bits on any number of ranks, if the blocks are the same.
     *
     * @param blocks the elements of all blocks of this rank, one block after the other; each rank may have any number
     *     of blocks, but not all of them none
     * @param into the result, on each rank; as many elements as a block has
     */
    void allreduceBlocks(Elements blocks, Elements into, Reduction with) throws InterruptedException;

    /**
     * Returns the reduction of the values of all ranks, on each rank.
     *
     * @param with called with the value of lower ranks first
     */
    <T> T allreduceValue(Codec<T> codec, T value, BinaryOperator<T> with) throws InterruptedException;

    /**
     * Replaces the elements of each rank by the reduction of those of the ranks up to it, from the left to the right.
     */
    void scan(Elements elements, Reduction with) throws InterruptedException;

    /** Starts a scan. */
    Request scanAsync(Elements elements, Reduction with);

    /**
     * Gathers the elements of all ranks on {@code root}, in the order of the ranks. Ranks may have different numbers of
     * elements, which together fill {@code all}.
     *
     * @param all the place for them on the root; ignored elsewhere
     */
    void gather(Elements part, Elements all, int root) throws InterruptedException;

    /** Starts to gather. */
    Request gatherAsync(Elements part, Elements all, int root);

    /** Gathers the elements of all ranks on each rank. */
    void allgather(Elements part, Elements all) throws InterruptedException;

    /** Starts to gather on each rank. */
    Request allgatherAsync(Elements part, Elements all);

    /** Returns the values of all ranks, by rank, on each rank. */
    <T> List<T> allgatherValues(Codec<T> codec, T value) throws InterruptedException;

    /**
     * Sends a part of the root's elements to each rank.
     *
     * @param parts one part for each rank, on the root, see {@link Elements#split}; ignored elsewhere
     * @param into the place for this rank's part, of the same number of elements
     */
    void scatter(List<Elements> parts, Elements into, int root) throws InterruptedException;

    /** Starts to scatter. */
    Request scatterAsync(List<Elements> parts, Elements into, int root);

    /**
     * Sends a part of the elements to each rank, and receives a part of each.
     *
     * @param send one part for each rank, in the order of the ranks
     * @param receive the places for the parts of each rank; as many elements as that rank sends
     */
    void alltoall(List<Elements> send, List<Elements> receive) throws InterruptedException;

    /** Starts to exchange parts. */
    Request alltoallAsync(List<Elements> send, List<Elements> receive);

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

    /** Returns a communicator of the same ranks whose messages are apart from those of this one. Collective. */
    default Communicator duplicate() throws InterruptedException {
        return duplicate(name() + ".copy");
    }

    /**
     * Returns a communicator of the same ranks whose messages are apart from those of this one. Collective.
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
     * @return asked by any thread: what the thread waits for, or null if it does not wait, or its message is under way
     */
    Supplier<@Nullable Waiting> observe();

    /**
     * A wait of a thread.
     *
     * @param number greater than those of earlier waits
     * @param text such as {@code a message of rank 1 with tag 5}
     */
    record Waiting(long number, String text) {}

    /** Returns the messages that have come for this rank and that nobody has received, a line each, for reports. */
    List<String> unreceived();

    /**
     * Ends the use of this communicator on this rank: messages that nobody has received are dropped. That of the world
     * ends with its ranks.
     */
    @Override
    void close();
}
