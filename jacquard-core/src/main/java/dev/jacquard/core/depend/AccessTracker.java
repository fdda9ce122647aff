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
    private static final int FIRST_CAPACITY = 4;

    /**
     * Task and access in turn, which are always read together: writers from the front, readers from the back. One array, so
     * that a resource costs few cache lines.
     */
    private @Nullable Object[] slots = new @Nullable Object[2 * FIRST_CAPACITY];

    private int writers;
    private int readers;

    /** Links {@code later} behind every tracked access that {@code access} conflicts with, and tracks it. */
    public void submit(T later, Access access, Dependents<T> dependents) {
        writers = meet(false, writers, later, access, access.reads(), dependents);
        boolean writes = access.writes();
        if (writes) {
            readers = meet(true, readers, later, access, false, dependents);
        }
        if (2 * (writers + readers) == slots.length) {
            makeRoom(dependents);
        }
        int at = writes ? slot(false, writers++) : slot(true, readers++);
        slots[at] = later;
        slots[at + 1] = access;
    }

    /** How many accesses are tracked; for tests and diagnosis. */
    public int size() {
        return writers + readers;
    }

    /** Links {@code later} behind the entries it conflicts with, drops those that no longer matter, counts the others. */
    private int meet(
            boolean back, int count, T later, Access access, boolean carriesFailure, Dependents<T> dependents) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int at = slot(back, i);
            T earlier = task(at);
            Access known = access(at);
            boolean keep = true;
            if (earlier != later && access.conflictsWith(known)) {
                dependents.link(earlier, later, carriesFailure);
                keep = !access.covers(known);
            }
            if (keep) {
                move(at, slot(back, kept++));
            }
        }
        clear(back, kept, count);
        return kept;
    }

    private void makeRoom(Dependents<T> dependents) {
        writers = forget(false, writers, dependents);
        readers = forget(true, readers, dependents);
        if (4 * (writers + readers) > slots.length) {
            @Nullable Object[] larger = Arrays.copyOf(slots, 2 * slots.length);
            Arrays.fill(larger, slots.length - 2 * readers, slots.length, null);
            System.arraycopy(slots, slots.length - 2 * readers, larger, larger.length - 2 * readers, 2 * readers);
            slots = larger;
        }
    }

    private int forget(boolean back, int count, Dependents<T> dependents) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int at = slot(back, i);
            if (!dependents.isForgotten(task(at), !back)) {
                move(at, slot(back, kept++));
            }
        }
        clear(back, kept, count);
        return kept;
    }

    private int slot(boolean back, int index) {
        return back ? slots.length - 2 - 2 * index : 2 * index;
    }

    private void move(int from, int to) {
        if (from != to) {
            slots[to] = slots[from];
            slots[to + 1] = slots[from + 1];
        }
    }

    private void clear(boolean back, int from, int to) {
        for (int i = from; i < to; i++) {
            int at = slot(back, i);
            slots[at] = null;
            slots[at + 1] = null;
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // an entry's slots hold a task and an access
    private T task(int at) {
        return (T) slots[at];
    }

    @SuppressWarnings("NullAway") // likewise
    private Access access(int at) {
        return (Access) slots[at + 1];
    }
}
