package dev.jacquard.core.macro;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The items of a run that no strand has taken, and the rule by which the host and devices take them: as many as keep
 * all busy to the end, by the times per item that were measured.
 *
 * <p>A side whose time for an item is unknown takes one. A side leaves the last items to the others when these are
 * expected to end them sooner; the side with the shortest time per item never does, so no item is left over.
 *
 * <p>Threads: any.
 */
final class ItemSplit {
    /** The answer of {@link #take} if there is nothing to take. */
    static final long NONE = -1;

    private final int items;
    private final List<Side> sides;
    /** The first item that was not taken; {@link #items} at the end, and after {@link #drain}. */
    private final AtomicInteger next = new AtomicInteger();
    /** Items that a device took and could not do. */
    private final Queue<Integer> returned = new ConcurrentLinkedQueue<>();

    ItemSplit(int items, List<Side> sides) {
        this.items = items;
        this.sides = sides;
    }

    /** Takes consecutive items, {@code most} at most. Returns them for {@link #first} and {@link #count}. */
    long take(Side side, int most) {
        Integer back = returned.poll();
        if (back != null) {
            return range(back, 1);
        }
        for (int first = next.get(); first < items; first = next.get()) {
            int count = share(side, items - first, most);
            if (count == 0) {
                return NONE;
            }
            if (next.compareAndSet(first, first + count)) {
                return range(first, count);
            }
        }
        return NONE;
    }

    private int share(Side side, int left, int most) {
        if (sides.size() == 1) {
            return Math.min(most, left);
        }
        double others = 0;
        double othersItem = Double.POSITIVE_INFINITY;
        boolean allKnown = true;
        for (Side other : sides) {
            if (other != side) {
                double nanos = other.itemNanos();
                allKnown &= nanos > 0;
                others += other.rate();
                othersItem = nanos > 0 ? Math.min(othersItem, nanos) : othersItem;
            }
        }
        double mine = side.rate();
        if (mine <= 0 || !allKnown) {
            return 1;
        }
        if (others > 0 && side.itemNanos() > othersItem + left / others) {
            return 0;
        }
        double fair = Math.ceil(left * mine / (mine + others));
        return Math.clamp((long) fair, 1, Math.min(most, left));
    }

    /** Gives an item back that its device could not do. */
    void giveBack(int item) {
        returned.add(item);
    }

    /** Returns the number of items that no strand has taken. */
    int left() {
        return items - next.get() + returned.size();
    }

    /** Takes all that is left, for no strand. Returns the number of these items. */
    int drain() {
        int taken = items - next.getAndSet(items);
        while (returned.poll() != null) {
            taken++;
        }
        return taken;
    }

    /** Takes one item, even if another side could do it sooner. Returns {@link #NONE} or a range. */
    long takeAny() {
        Integer back = returned.poll();
        int item = back == null ? next.getAndUpdate(first -> Math.min(first + 1, items)) : back;
        return item < items ? range(item, 1) : NONE;
    }

    private static long range(int first, int count) {
        return (long) first << Integer.SIZE | count;
    }

    static int first(long range) {
        return (int) (range >> Integer.SIZE);
    }

    static int count(long range) {
        return (int) range;
    }
}
