package dev.jacquard.flow.pipeline;

import java.util.function.IntConsumer;

/**
 * Decides to which copy of a pipeline's graph an item goes.
 *
 * <pre>{@code
 * g.pipeline("devices", graph, ExecutionTarget.CUDA).distribute((tile, loads) -> tile.row() % loads.copies());
 * }</pre>
 *
 * <p>Threads: called by one thread at a time, for the items in the order of their arrival. All runs of a graph share
 * the object, several at once. The distributions that this interface makes have no state, and take the state of the run
 * from the {@link Loads}. An exception that a distribution throws fails the run.
 *
 * <p>Source: Blattner's thesis on the Hybrid Task Graph Scheduler, chapter 4.3 and 5.2 "Execution Pipeline".
 *
 * @param <A> the type of the items
 */
@FunctionalInterface
public interface Distribution<A> {
    /** Returns the number of the copy that {@code item} goes to, from 0 to {@code loads.copies() - 1}. */
    int choose(A item, Loads loads) throws Exception;

    /**
     * Passes the number of each copy that {@code item} goes to, at least one, and each of them once, to {@code to}.
     * Unless overridden, this is the copy that {@link #choose} returns.
     */
    default void distribute(A item, Loads loads, IntConsumer to) throws Exception {
        to.accept(choose(item, loads));
    }

    /** Returns the distribution of one item after the other to the copies in turn; always the same object. */
    @SuppressWarnings("unchecked") // it reads no item
    static <A> Distribution<A> roundRobin() {
        return (Distribution<A>) Distributions.IN_TURN;
    }

    /**
     * Returns the distribution of blocks of {@code items} consecutive items to the copies in turn. With the number of
     * all items divided by the number of copies, rounded up, each copy gets one block.
     *
     * @throws IllegalArgumentException if {@code items} is not positive
     */
    static <A> Distribution<A> blocks(long items) {
        if (items < 1) {
            throw new IllegalArgumentException("a block of a distribution has " + items + " items: at least 1");
        }
        return (item, loads) -> (int) (loads.before() / items % loads.copies());
    }

    /**
     * Returns the distribution of each item to the copy with the fewest {@linkplain Loads#items items}; among equal
     * copies, to the copy that was given the fewest so far.
     */
    static <A> Distribution<A> leastLoaded() {
        return (item, loads) -> {
            int least = 0;
            long fewest = loads.items(0);
            for (int copy = 1; copy < loads.copies(); copy++) {
                long items = loads.items(copy);
                if (items < fewest || (items == fewest && loads.given(copy) < loads.given(least))) {
                    least = copy;
                    fewest = items;
                }
            }
            return least;
        };
    }

    /** Returns the distribution of each item to all copies; always the same object. */
    @SuppressWarnings("unchecked") // it reads no item
    static <A> Distribution<A> broadcast() {
        return (Distribution<A>) Distributions.TO_ALL;
    }

    /**
     * Returns the distribution of each item to all copies that {@code test} accepts, which must be at least one: a tile
     * at the border of two domains goes to both.
     */
    static <A> Distribution<A> matching(Test<? super A> test) {
        return new Distribution<>() {
            @Override
            public int choose(A item, Loads loads) throws Exception {
                for (int copy = 0; copy < loads.copies(); copy++) {
                    if (test.takes(item, copy)) {
                        return copy;
                    }
                }
                return -1;
            }

            @Override
            public void distribute(A item, Loads loads, IntConsumer to) throws Exception {
                for (int copy = 0; copy < loads.copies(); copy++) {
                    if (test.takes(item, copy)) {
                        to.accept(copy);
                    }
                }
            }
        };
    }

    /**
     * Decides whether a copy gets an item: see {@link #matching}.
     *
     * @param <A> the type of the items
     */
    @FunctionalInterface
    interface Test<A> {
        /** Returns true if the copy with number {@code copy} gets {@code item}. */
        boolean takes(A item, int copy) throws Exception;
    }

    /**
     * The loads of the copies of a pipeline.
     *
     * <p>Threads: for use during the call that it was passed to, by the thread of that call.
     */
    interface Loads {
        /** Returns the number of copies, at least 1. */
        int copies();

        /**
         * Returns about the number of items in the tasks of a copy: they wait, are in a body, or wait for tasks of the
         * engine. Items of all tasks of the copy count, also items that the copy itself made. Takes no lock; the number
         * changes at any time.
         *
         * @param copy from 0 to {@link #copies} - 1
         * @throws IndexOutOfBoundsException if there is no such copy
         */
        long items(int copy);

        /**
         * Returns the number of items that the distribution has sent to a copy so far in this run.
         *
         * @param copy from 0 to {@link #copies} - 1
         * @throws IndexOutOfBoundsException if there is no such copy
         */
        long given(int copy);

        /** Returns the number of items that came to the pipeline before the current item in this run. */
        long before();
    }
}
