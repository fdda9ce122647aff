package dev.jacquard.cluster.communicator;

import dev.jacquard.base.codec.Codec;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Operations of all ranks of a {@link Communicator}, which documents their common rules. */
public interface CollectiveOperations {
    /** Waits until all ranks have called this. */
    void barrier() throws InterruptedException;

    /** Starts a barrier. */
    Request barrierAsync();

    /** Copies the elements of {@code root} to the elements of all ranks. */
    void broadcast(Elements elements, int root) throws InterruptedException;

    /** Starts a broadcast. */
    Request broadcastAsync(Elements elements, int root);

    /** Returns the value of {@code root}; the values of other ranks do not count. */
    <T> T broadcastValue(Codec<T> codec, @Nullable T value, int root) throws InterruptedException;

    /** Replaces the elements of {@code root} by the reduction of the elements of all ranks; the others keep theirs. */
    void reduce(Elements elements, Reduction with, int root) throws InterruptedException;

    /** Starts a reduction to one rank. */
    Request reduceAsync(Elements elements, Reduction with, int root);

    /** Replaces the elements of all ranks by their reduction. */
    void allreduce(Elements elements, Reduction with) throws InterruptedException;

    /** Starts a reduction to all ranks. */
    Request allreduceAsync(Elements elements, Reduction with);

    /**
     * Reduces blocks that are numbered over all ranks, the blocks of lower ranks first, in a fixed binary tree over the
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
     * Replaces the elements of each rank by the reduction of the elements of the ranks up to it, from the left to the
     * right.
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
}
