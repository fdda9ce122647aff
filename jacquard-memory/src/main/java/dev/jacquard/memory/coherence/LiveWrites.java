package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one data that live tasks have announced.
 *
 * <p>{@link #newest} examines the newest writes first, one by one, which ends soon where writes are large. After a few
 * it looks up the boxes that overlap and examines the newest write of each, which are not many where writes are small.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class LiveWrites {
    /** The number of writes that are examined one by one before boxes are looked up. */
    private static final int FEW = 16;

    /** All writes by their numbers, which grow in the order of announcement. */
    private final NumberedQueue<Write> all = new NumberedQueue<>();
    /** The same writes, by their boxes; null as long as no box was looked up since there was none. */
    private @Nullable BoxIndex<OfBox> boxes;
    /** The number of writes that were examined, for tests. */
    private long looks;

    private record Write(Box box, AccessPlan plan) {}

    /** The writes of the same box. No record: compared by identity, since it changes. */
    private static final class OfBox implements Boxed {
        final Box box;
        final NumberedQueue<AccessPlan> writes = new NumberedQueue<>();

        OfBox(Box box) {
            this.box = box;
        }

        @Override
        public Box box() {
            return box;
        }
    }

    /** Adds a write with a number greater than that of any other. */
    void add(long number, Box box, AccessPlan plan) {
        all.add(number, new Write(box, plan));
        if (boxes != null) {
            addTo(boxes, number, box, plan);
        }
    }

    private static void addTo(BoxIndex<OfBox> boxes, long number, Box box, AccessPlan plan) {
        OfBox same = boxes.exactly(box, any -> true);
        if (same == null) {
            same = new OfBox(box);
            boxes.add(same);
        }
        same.writes.add(number, plan);
    }

    /** Removes the write of that number, if it is there. */
    void remove(long number) {
        Write write = all.remove(number);
        if (write == null || boxes == null) {
            return;
        }
        if (all.isEmpty()) {
            boxes = null;
            return;
        }
        OfBox same = boxes.exactly(write.box, any -> true);
        if (same != null) {
            same.writes.remove(number);
            if (same.writes.isEmpty()) {
                boxes.remove(same);
            }
        }
    }

    /**
     * Returns the task with the newest write of some of {@code box} that has a number less than {@code before}, but for
     * {@code reader} itself.
     */
    @Nullable
    AccessPlan newest(Box box, long before, @Nullable AccessPlan reader) {
        if (all.isEmpty()) {
            return null;
        }
        long place = all.below(before);
        for (int i = 0; i < FEW && place >= all.first(); i++) {
            Write write = all.at(place);
            looks++;
            if (write != null && write.plan != reader && write.box.intersects(box)) {
                return write.plan;
            }
            place--;
        }
        return place < all.first() ? null : newestOfBoxes(box, all.number(place) + 1, reader);
    }

    private @Nullable AccessPlan newestOfBoxes(Box box, long before, @Nullable AccessPlan reader) {
        AccessPlan newest = null;
        long after = Long.MIN_VALUE;
        for (OfBox same : index().meeting(box)) {
            NumberedQueue<AccessPlan> writes = same.writes;
            long place = writes.below(before);
            while (place >= writes.first()) {
                looks++;
                AccessPlan plan = writes.at(place);
                if (plan != null && plan != reader) {
                    break;
                }
                place--;
            }
            if (place >= writes.first() && writes.number(place) > after) {
                after = writes.number(place);
                newest = writes.at(place);
            }
        }
        return newest;
    }

    private BoxIndex<OfBox> index() {
        BoxIndex<OfBox> index = boxes;
        if (index == null) {
            index = new BoxIndex<>();
            long newest = all.below(Long.MAX_VALUE);
            for (long place = all.first(); place <= newest; place++) {
                Write write = all.at(place);
                if (write != null) {
                    addTo(index, all.number(place), write.box, write.plan);
                }
            }
            boxes = index;
        }
        return index;
    }

    long looks() {
        return looks;
    }
}
