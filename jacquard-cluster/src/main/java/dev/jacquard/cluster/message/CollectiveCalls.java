package dev.jacquard.cluster.message;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.cluster.communicator.CollectiveOperations;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.cluster.communicator.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** The calls of collective operations: arguments are checked, then an operation is run, or started. */
abstract class CollectiveCalls implements CollectiveOperations {
    abstract Collectives collectives();

    /** Returns a rank that is in range. */
    abstract int requireRank(String role, int rank, int least);

    @Override
    public void barrier() throws InterruptedException {
        collectives().barrier().run();
    }

    @Override
    public Request barrierAsync() {
        return collectives().barrier().start();
    }

    @Override
    public void broadcast(Elements elements, int root) throws InterruptedException {
        collectives().broadcast(elements, requireRank("the root", root, 0)).run();
    }

    @Override
    public Request broadcastAsync(Elements elements, int root) {
        return collectives()
                .broadcast(elements, requireRank("the root", root, 0))
                .start();
    }

    @Override
    public <T> T broadcastValue(Codec<T> codec, @Nullable T value, int root) throws InterruptedException {
        return collectives().broadcastValue(codec, value, requireRank("the root", root, 0));
    }

    @Override
    public void reduce(Elements elements, Reduction with, int root) throws InterruptedException {
        collectives().reduce(elements, with, requireRank("the root", root, 0)).run();
    }

    @Override
    public Request reduceAsync(Elements elements, Reduction with, int root) {
        return collectives()
                .reduce(elements, with, requireRank("the root", root, 0))
                .start();
    }

    @Override
    public void allreduce(Elements elements, Reduction with) throws InterruptedException {
        collectives().allreduce(elements, with).run();
    }

    @Override
    public Request allreduceAsync(Elements elements, Reduction with) {
        return collectives().allreduce(elements, with).start();
    }

    @Override
    public void allreduceBlocks(Elements blocks, Elements into, Reduction with) throws InterruptedException {
        collectives().allreduceBlocks(blocks, into, with).run();
    }

    @Override
    public <T> T allreduceValue(Codec<T> codec, T value, BinaryOperator<T> with) throws InterruptedException {
        List<T> all = allgatherValues(codec, value);
        while (all.size() > 1) { // neighbours first, as in the tree of elements
            List<T> next = new ArrayList<>();
            for (int i = 0; i < all.size(); i += 2) {
                next.add(i + 1 < all.size() ? with.apply(all.get(i), all.get(i + 1)) : all.get(i));
            }
            all = next;
        }
        return all.getFirst();
    }

    @Override
    public void scan(Elements elements, Reduction with) throws InterruptedException {
        collectives().scan(elements, with).run();
    }

    @Override
    public Request scanAsync(Elements elements, Reduction with) {
        return collectives().scan(elements, with).start();
    }

    @Override
    public void gather(Elements part, Elements all, int root) throws InterruptedException {
        collectives().gather(part, all, requireRank("the root", root, 0)).run();
    }

    @Override
    public Request gatherAsync(Elements part, Elements all, int root) {
        return collectives().gather(part, all, requireRank("the root", root, 0)).start();
    }

    @Override
    public void allgather(Elements part, Elements all) throws InterruptedException {
        collectives().allgather(part, all).run();
    }

    @Override
    public Request allgatherAsync(Elements part, Elements all) {
        return collectives().allgather(part, all).start();
    }

    @Override
    public <T> List<T> allgatherValues(Codec<T> codec, T value) throws InterruptedException {
        return collectives().allgatherValues(codec, value);
    }

    @Override
    public void scatter(List<Elements> parts, Elements into, int root) throws InterruptedException {
        collectives().scatter(parts, into, requireRank("the root", root, 0)).run();
    }

    @Override
    public Request scatterAsync(List<Elements> parts, Elements into, int root) {
        return collectives()
                .scatter(parts, into, requireRank("the root", root, 0))
                .start();
    }

    @Override
    public void alltoall(List<Elements> send, List<Elements> receive) throws InterruptedException {
        collectives().alltoall(send, receive).run();
    }

    @Override
    public Request alltoallAsync(List<Elements> send, List<Elements> receive) {
        return collectives().alltoall(send, receive).start();
    }
}
