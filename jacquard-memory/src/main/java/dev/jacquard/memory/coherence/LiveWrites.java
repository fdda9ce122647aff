package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import java.util.Map;
import java.util.TreeMap;
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
    private final TreeMap<Long, Write> all = new TreeMap<>();
    /** The same writes, by what they write. */
    private final BoxIndex<OfBox> boxes = new BoxIndex<>();
    /** The number of writes that were examined, for tests. */
    private long looks;

    private record Write(Box box, AccessPlan plan) {}

    /** The writes of the same box, by their numbers. No record: told apart by identity, since it changes. */
    private static final class OfBox implements Boxed {
        final Box box;
        final TreeMap<Long, AccessPlan> writes = new TreeMap<>();

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
        all.put(number, new Write(box, plan));
        OfBox same = boxes.exactly(box, any -> true);
        if (same == null) {
            same = new OfBox(box);
            boxes.add(same);
        }
        same.writes.put(number, plan);
    }

    /** Removes the write of that number, if it is there. */
    void remove(long number) {
        Write write = all.remove(number);
        if (write == null) {
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
     * Returns the task with the newest write of some of {@code box} whose number is less than {@code before}, but for
     * {@code reader} itself.
     */
    @Nullable
    AccessPlan newest(Box box, long before, @Nullable AccessPlan reader) {
        Map.Entry<Long, Write> entry = all.lowerEntry(before);
        for (int i = 0; i < FEW && entry != null; i++) {
            looks++;
            Write write = entry.getValue();
            if (write.plan != reader && write.box.intersects(box)) {
                return write.plan;
            }
            entry = all.lowerEntry(entry.getKey());
        }
        return entry == null ? null : newestOfBoxes(box, entry.getKey() + 1, reader);
    }

    private @Nullable AccessPlan newestOfBoxes(Box box, long before, @Nullable AccessPlan reader) {
        AccessPlan newest = null;
        long after = Long.MIN_VALUE;
        for (OfBox same : boxes.meeting(box)) {
            looks++;
            Map.Entry<Long, AccessPlan> entry = same.writes.lowerEntry(before);
            while (entry != null && entry.getValue() == reader) {
                looks++;
                entry = same.writes.lowerEntry(entry.getKey());
            }
            if (entry != null && entry.getKey() > after) {
                after = entry.getKey();
                newest = entry.getValue();
            }
        }
        return newest;
    }

    long looks() {
        return looks;
    }
}
