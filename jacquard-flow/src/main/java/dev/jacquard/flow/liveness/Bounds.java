package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.NetworkModel.Out;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Numbers of buffers that are enough, by counting alone.
 *
 * <ul>
 *   <li>Where no item that has its buffers asks again, the buffers of one item, and of the items that rules collect.
 *   <li>Else the buffers that all items take that come of one item from outside, and of the items that rules collect.
 * </ul>
 *
 * <p>Threads: confined to the thread that proves.
 */
final class Bounds {
    private static final long MANY = 1L << 40;
    /** More bytes than there are; twice that is a number. */
    private static final long ALL = Long.MAX_VALUE / 2;

    private final NetworkModel model;
    private final Cargo cargo;

    Bounds(NetworkModel model, Cargo cargo) {
        this.model = model;
        this.cargo = cargo;
    }

    /**
     * Returns true if {@code sizes}, and the bytes that the pools have, are enough by one of the two ways of counting.
     */
    boolean areWithin(int[] sizes) {
        boolean asksAgain = false;
        for (int i = 0; i < model.outs.length; i++) {
            asksAgain |= model.isTaker(i) && model.asking.leadsToAny(i);
        }
        return (!asksAgain && areWithin(sizes, this::largest)) || areWithin(sizes, this::taken);
    }

    /** Returns true if the buffers, and the bytes, of {@code needed} and of rules that collect are within the pools. */
    private boolean areWithin(int[] sizes, ToLongFunction<long[]> needed) {
        for (int pool = 0; pool < sizes.length; pool++) {
            int its = pool;
            long collected = collected(pool);
            long buffers = needed.applyAsLong(perNode(node -> model.takes[node][its]));
            long bytes = needed.applyAsLong(perNode(node -> model.takenBytes[node][its]));
            if (buffers + collected > sizes[pool]
                    || bytes + collected * model.largestBytes(pool)
                            > model.net.pools().get(pool).bytes().floor()) {
                return false;
            }
        }
        return true;
    }

    private long[] perNode(IntToLongFunction taken) {
        return IntStream.range(0, model.outs.length).mapToLong(taken).toArray();
    }

    /** Returns the largest number of buffers of a pool that one item takes; at least 1. */
    int largestTake(int pool) {
        return (int) Math.max(1, largest(perNode(node -> model.takes[node][pool])));
    }

    private long largest(long[] perNode) {
        return Arrays.stream(perNode).max().orElse(0);
    }

    private long collected(int pool) {
        long most = 0;
        for (Out[] outs : model.outs) {
            for (Out out : outs) {
                most += out.counter() < 0 ? 0 : (out.collects() - 1L) * cargo.most(out.node(), pool);
            }
        }
        return most;
    }

    /** Returns the sum of what items take, per node, that come of one item from outside. */
    private long taken(long[] perNode) {
        long most = 0;
        for (int[] source : model.sources) {
            long[] items = items(source);
            long its = 0;
            for (int node = 0; node < items.length; node++) {
                boolean isLarge = perNode[node] > 0 && items[node] > ALL / perNode[node];
                its = Math.min(ALL, its + (isLarge ? ALL : items[node] * perNode[node]));
            }
            most = Math.max(most, its);
        }
        return most;
    }

    /** Returns, per node, the largest number of items that come of one item from outside. */
    private long[] items(int[] source) {
        long[] items = new long[model.outs.length];
        for (int round = 0;
                ;
                round++) { // without cycles, the numbers are final after as many rounds as there are nodes
            long[] next = new long[items.length];
            for (int to : source) {
                next[to]++;
            }
            for (int node = 0; node < items.length; node++) {
                for (Out out : model.outs[node]) {
                    long times = items[node] == 0 ? 0 : Math.floorDiv(items[node] + out.collects() - 1, out.collects());
                    long sent = out.rates().most() < 0 ? MANY : out.rates().most();
                    for (int to : out.consumers()) {
                        next[to] = Math.min(MANY, next[to] + Math.min(MANY, times * sent));
                    }
                }
            }
            if (Arrays.equals(items, next)) {
                return items;
            }
            if (round > items.length) {
                Arrays.fill(items, MANY);
                return items;
            }
            items = next;
        }
    }
}
