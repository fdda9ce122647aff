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
 * <p>Of slots, both ways need as many as one item takes, unless a bounded edge is part of a cycle. Suppose that nothing
 * moves, and take a waiting item that is furthest down. If it lacks slots, items have them that wait further down, or
 * that move. If it lacks buffers, then by the second way there are none to lack; by the first, the items that hold them
 * lack slots, and so do the items at the ends of these edges, down to one that does not.
 *
 * <p>Threads: confined to the thread that proves.
 */
final class Bounds {
    private static final long MANY = 1L << 40;
    /** More bytes than there are; twice that is a number. */
    private static final long ALL = Long.MAX_VALUE / 2;

    private final NetworkModel model;
    private final Cargo cargo;
    /** Per pool, true if its items never wait for each other: see the class. */
    private final boolean[] isApart;
    /** True if some item that has its buffers may ask for more, slots of edges outside of cycles apart. */
    private final boolean asksAgain;

    Bounds(NetworkModel model, Cargo cargo) {
        this.model = model;
        this.cargo = cargo;
        this.isApart = findApart(model);
        this.asksAgain = asksAgain();
    }

    /**
     * Returns true if {@code sizes}, and the bytes that the pools have, are enough by one of the two ways of counting.
     */
    boolean areWithin(int[] sizes) {
        return (!asksAgain && areWithin(sizes, this::largest)) || areWithin(sizes, this::taken);
    }

    /** Returns true if some item that has its buffers may ask for more, slots of edges outside of cycles apart. */
    private boolean asksAgain() {
        for (int node = 0; node < model.outs.length; node++) {
            for (int pool = 0; pool < model.pools; pool++) {
                for (int next = 0; next < model.pools && model.takes[node][pool] > 0; next++) {
                    if (!isApart[pool] && !isApart[next] && model.asking.leadsTo(next, node)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Returns, per pool, true if it has the slots of an edge, and no bounded edge is part of a cycle. */
    private static boolean[] findApart(NetworkModel model) {
        boolean[] apart = new boolean[model.pools];
        for (int pool = 0; pool < apart.length; pool++) {
            apart[pool] = model.isBound(pool);
        }
        for (int pool = 0; pool < model.pools; pool++) {
            int consumer = model.net.pools().get(pool).consumer();
            for (int node = 0; node < model.outs.length && consumer != Network.NONE; node++) {
                if (model.takes[node][pool] > 0 && model.asking.asks(pool, consumer)) {
                    return new boolean[model.pools];
                }
            }
        }
        return apart;
    }

    /** Returns true if the buffers, and the bytes, of {@code needed} and of rules that collect are within the pools. */
    private boolean areWithin(int[] sizes, ToLongFunction<long[]> needed) {
        for (int pool = 0; pool < sizes.length; pool++) {
            int its = pool;
            long collected = collected(pool);
            long[] takes = perNode(node -> model.takes[node][its]);
            long buffers = isApart[pool] ? largest(takes) : needed.applyAsLong(takes);
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
