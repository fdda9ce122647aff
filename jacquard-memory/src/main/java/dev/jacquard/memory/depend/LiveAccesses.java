package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Tracked accesses of any kind, of which a later one asks each. Guarded like its tracker.
 *
 * @param <T> the type of holders of accesses: tasks
 */
final class LiveAccesses<T> {
    private static final int FIRST_CAPACITY = 8;

    /** Task and access in turn. */
    private @Nullable Object[] slots = new @Nullable Object[0];

    private int size;

    int size() {
        return size;
    }

    void add(T task, Access access) {
        if (2 * size == slots.length) {
            slots = Arrays.copyOf(slots, Math.max(2 * FIRST_CAPACITY, 2 * slots.length));
        }
        slots[2 * size] = task;
        slots[2 * size + 1] = access;
        size++;
    }

    /**
     * Makes {@code later} wait for all that {@code access} conflicts with; drops accesses that it covers when it may,
     * and accesses of tasks that are over.
     */
    void meet(T later, Access access, boolean mayDrop, AccessTracker.Dependents<T> dependents) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            T earlier = task(i);
            Access known = access(i);
            boolean keep = true;
            boolean wrote = known.writes();
            if (earlier != later && (wrote || access.writes()) && access.conflictsWith(known)) {
                dependents.link(earlier, later, wrote && access.reads());
                keep = !dependents.isForgotten(earlier, wrote) && !(mayDrop && access.covers(known));
            }
            if (keep) {
                put(kept++, i);
            }
        }
        clearFrom(kept);
    }

    /** Removes this access, the same object, of this task; whether it was there. */
    boolean remove(T task, Access access) {
        for (int i = 0; i < size; i++) {
            if (slots[2 * i] == task && slots[2 * i + 1] == access) {
                put(i, size - 1);
                clearFrom(size - 1);
                return true;
            }
        }
        return false;
    }

    /** Puts {@code by} in the place of this access, the same object, of this task, if it is there. */
    void replace(T task, Access access, T by) {
        for (int i = size - 1; i >= 0; i--) {
            if (slots[2 * i] == task && slots[2 * i + 1] == access) {
                slots[2 * i] = by;
                return;
            }
        }
    }

    /** Drops accesses of tasks that are over, and the room that is not needed any more. */
    void forget(AccessTracker.Dependents<T> dependents) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (!dependents.isForgotten(task(i), access(i).writes())) {
                put(kept++, i);
            }
        }
        clearFrom(kept);
        if (8 * size < slots.length && slots.length > 2 * FIRST_CAPACITY) {
            slots = Arrays.copyOf(slots, Math.max(2 * FIRST_CAPACITY, 4 * size));
        }
    }

    void each(AccessTracker.Visitor<T> visitor) {
        for (int i = 0; i < size; i++) {
            visitor.entry(task(i), access(i));
        }
    }

    private void put(int to, int from) {
        slots[2 * to] = slots[2 * from];
        slots[2 * to + 1] = slots[2 * from + 1];
    }

    private void clearFrom(int from) {
        Arrays.fill(slots, 2 * from, 2 * size, null);
        size = from;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // where there is an entry there is a task
    private T task(int index) {
        return (T) slots[2 * index];
    }

    @SuppressWarnings("NullAway") // where there is an entry there is an access
    private Access access(int index) {
        return (Access) slots[2 * index + 1];
    }
}
