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
    private final NumberedRing<Write> all = new NumberedRing<>();
    /** The same writes, by what they write. */
    private final BoxIndex<OfBox> boxes = new BoxIndex<>();
    /** The number of writes that were examined, for tests. */
    private long looks;

    private record Write(OfBox of, AccessPlan plan) {}

    /** The writes of the same box, by their numbers. No record: told apart by identity, since it changes. */
    private static final class OfBox implements Boxed {
        final Box box;
        final NumberedRing<AccessPlan> writes = new NumberedRing<>();

        OfBox(Box box) {
            this.box = box;
        }

        @Override
        public Box box() {
            return box;
        }
    }

    /** Adds a write, whose number is greater than that of any other. */
    void add(long number, Box box, AccessPlan plan) {
        OfBox same = boxes.exactly(box, any -> true);
        if (same == null) {
            same = new OfBox(box);
            boxes.add(same);
        }
        same.writes.add(number, plan);
        all.add(number, new Write(same, plan));
    }

    /** Removes the write of that number, if it is there. */
    void remove(long number) {
        Write write = all.remove(number);
        if (write == null) {
            return;
        }
        write.of.writes.remove(number);
        if (write.of.writes.isEmpty()) {
            boxes.remove(write.of);
        }
    }

    /**
     * Returns the task with the newest write of some of {@code box} whose number is less than {@code before}, but for
     * {@code reader} itself.
     */
    @Nullable
    AccessPlan newest(Box box, long before, @Nullable AccessPlan reader) {
        int at = all.before(before);
        for (int i = 0; i < FEW && at != NumberedRing.NONE; i++) {
            looks++;
            Write write = all.at(at);
            if (write.plan != reader && write.of.box.intersects(box)) {
                return write.plan;
            }
            at--;
        }
        return at == NumberedRing.NONE ? null : newestOfBoxes(box, all.number(at) + 1, reader);
    }

    private @Nullable AccessPlan newestOfBoxes(Box box, long before, @Nullable AccessPlan reader) {
        AccessPlan newest = null;
        long after = Long.MIN_VALUE;
        for (OfBox same : boxes.meeting(box)) {
            looks++;
            NumberedRing<AccessPlan> its = same.writes;
            int at = its.before(before);
            while (at != NumberedRing.NONE && its.at(at) == reader) {
                looks++;
                at--;
            }
            if (at != NumberedRing.NONE && its.number(at) > after) {
                after = its.number(at);
                newest = its.at(at);
            }
        }
        return newest;
    }

    long looks() {
        return looks;
    }
}
