package dev.jacquard.core.depend;

import dev.jacquard.core.access.Access;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The accesses to one resource that can still matter, in submission order.
 *
 * <p>An entry is dropped when a later access both covers and conflicts with it (whoever conflicts with the entry then also
 * conflicts with its dropper, which waits for it), or when its task is over. What writes and what only reads are kept
 * apart: a reader need not look at readers, so that any number of them costs nothing. Entries of tasks that are over are
 * looked for whenever a list has doubled, so the cost is bounded by the live accesses, not by history.
 *
 * <p>Threads: confined to whoever submits.
 *
 * @param <T> what has the accesses; tasks
 */
public final class AccessTracker<T> {
    private final Entries<T> writers = new Entries<>();
    private final Entries<T> readers = new Entries<>();

    /** Links {@code later} behind every tracked access that {@code access} conflicts with, and tracks it. */
    public void submit(T later, Access access, Dependents<T> dependents) {
        writers.meet(later, access, access.reads(), dependents);
        if (access.writes()) {
            readers.meet(later, access, false, dependents);
            writers.add(later, access, dependents);
        } else {
            readers.add(later, access, dependents);
        }
    }

    /** How many accesses are tracked; for tests and diagnosis. */
    public int size() {
        return writers.size + readers.size;
    }

    private static final class Entries<T> {
        private static final int FIRST_CAPACITY = 2;

        /** Task and access in turn: they are always read together. */
        private @Nullable Object[] slots = new @Nullable Object[2 * FIRST_CAPACITY];

        private int size;

        /** Links {@code later} behind the entries it conflicts with, and drops those that no longer matter. */
        void meet(T later, Access access, boolean carriesFailure, Dependents<T> dependents) {
            int kept = 0;
            for (int i = 0; i < size; i++) {
                T earlier = task(i);
                Access known = access(i);
                boolean keep = true;
                if (earlier != later && access.conflictsWith(known)) {
                    dependents.link(earlier, later, carriesFailure);
                    keep = !access.covers(known);
                }
                if (keep) {
                    move(i, kept++);
                }
            }
            truncate(kept);
        }

        void add(T later, Access access, Dependents<T> dependents) {
            if (2 * size == slots.length) {
                forget(dependents);
                if (4 * size > slots.length) {
                    slots = Arrays.copyOf(slots, 2 * slots.length);
                }
            }
            slots[2 * size] = later;
            slots[2 * size + 1] = access;
            size++;
        }

        private void forget(Dependents<T> dependents) {
            int kept = 0;
            for (int i = 0; i < size; i++) {
                if (!dependents.isForgotten(task(i), access(i).writes())) {
                    move(i, kept++);
                }
            }
            truncate(kept);
        }

        private void move(int from, int to) {
            if (from != to) {
                slots[2 * to] = slots[2 * from];
                slots[2 * to + 1] = slots[2 * from + 1];
            }
        }

        private void truncate(int kept) {
            if (kept < size) {
                Arrays.fill(slots, 2 * kept, 2 * size, null);
                size = kept;
            }
        }

        @SuppressWarnings({"unchecked", "NullAway"}) // slots below size hold a task and an access
        private T task(int index) {
            return (T) slots[2 * index];
        }

        @SuppressWarnings("NullAway") // likewise
        private Access access(int index) {
            return (Access) slots[2 * index + 1];
        }
    }
}
