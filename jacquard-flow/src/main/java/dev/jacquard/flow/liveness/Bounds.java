package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.NetworkModel.Out;
import java.util.Arrays;

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

    private final NetworkModel model;
    private final Cargo cargo;

    Bounds(NetworkModel model, Cargo cargo) {
        this.model = model;
        this.cargo = cargo;
    }

    /** Returns true if {@code sizes} are enough by one of the two ways of counting. */
    boolean areWithin(int[] sizes) {
        boolean asksAgain = false;
        for (int i = 0; i < model.outs.length; i++) {
            asksAgain |= model.isTaker(i) && model.asking.leadsToAny(i);
        }
        return (!asksAgain && areWithin(sizes, largestTakes())) || areWithin(sizes, taken());
    }

    private boolean areWithin(int[] sizes, long[] needed) {
        for (int pool = 0; pool < sizes.length; pool++) {
            if (needed[pool] + collected(pool) > sizes[pool]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the largest number of buffers of a pool that one item takes; at least 1. */
    int largestTake(int pool) {
        int most = 1;
        for (int[] its : model.takes) {
            most = Math.max(most, its[pool]);
        }
        return most;
    }

    private long[] largestTakes() {
        long[] most = new long[model.pools];
        for (int pool = 0; pool < most.length; pool++) {
            most[pool] = largestTake(pool);
        }
        return most;
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

    /** Returns the number of buffers that items take that come of one item from outside. */
    private long[] taken() {
        long[] most = new long[model.pools];
        for (int[] source : model.sources) {
            long[] items = items(source);
            for (int pool = 0; pool < most.length; pool++) {
                long its = 0;
                for (int node = 0; node < items.length; node++) {
                    its += items[node] * model.takes[node][pool];
                }
                most[pool] = Math.max(most[pool], its);
            }
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
