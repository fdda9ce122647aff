package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Block;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The counts by which items of blocks become ready, and blocks are over.
 *
 * <p>Threads: counts of a block are set by the one thread that begins it, when nothing of it runs, and changed by
 * atomic decrements; so the thread that brings a count to 0 sees all that the others wrote.
 */
final class BlockCounts {
    private final Plan plan;
    /** By block: how many items each item still waits for. */
    private final AtomicIntegerArray[] needs;
    /** By block: how many items are not over in this pass. */
    private final AtomicInteger[] left;
    /** By part, and by loop after them: the block that it lies in, and its place there. */
    private final int[] blockOf;

    private final int[] placeOf;

    BlockCounts(Plan plan) {
        this.plan = plan;
        int blocks = plan.blocks().size();
        int items = plan.parts().size() + plan.loops().size();
        needs = new AtomicIntegerArray[blocks];
        left = new AtomicInteger[blocks];
        blockOf = new int[items];
        placeOf = new int[items];
        for (int number = 0; number < blocks; number++) {
            Block block = plan.blocks().get(number);
            needs[number] = new AtomicIntegerArray(block.size());
            left[number] = new AtomicInteger();
            for (int place = 0; place < block.size(); place++) {
                blockOf[block.item(place)] = number;
                placeOf[block.item(place)] = place;
            }
        }
    }

    /** Returns the block in which an item lies. */
    int blockOf(int item) {
        return blockOf[item];
    }

    /** Returns the place of an item in its block. */
    int placeOf(int item) {
        return placeOf[item];
    }

    /** A block begins. */
    void begin(int number) {
        Block block = plan.blocks().get(number);
        for (int place = 0; place < block.size(); place++) {
            needs[number].setPlain(place, block.needs(place));
        }
        left[number].setPlain(block.size());
    }

    /**
     * A block begins of which some is over.
     *
     * @param missing by place: the items for which one still waits
     * @param open the number of items that are not over
     */
    void set(int number, int[] missing, int open) {
        for (int place = 0; place < missing.length; place++) {
            needs[number].setPlain(place, missing[place]);
        }
        left[number].setPlain(open);
    }

    /** An item for which the one at a place waits is over. Returns true if it waits for no other. */
    boolean isReady(int number, int place) {
        return needs[number].decrementAndGet(place) == 0;
    }

    /** An item of a block is over. Returns true if it was the last one. */
    boolean isOver(int number) {
        return left[number].decrementAndGet() == 0;
    }
}
