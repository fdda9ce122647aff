package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AreaAccess;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The accesses to one resource that can still matter, in no particular order.
 *
 * <p>An entry is dropped when a later access both covers and conflicts with it (an access that conflicts with the entry
 * also conflicts with its dropper, which waits for it), or when its task is over. Accesses that write and that read are
 * kept apart: a reader need not look at readers, so that any number of them costs nothing. Entries of tasks that are
 * over go when they are met, and are looked for whenever a list has doubled, so the cost is bounded by the live
 * accesses, not by history. Accesses that neither read nor write are not tracked. Where many would have to be looked at
 * in vain, an {@link AccessIndex} takes the place of the lists.
 *
 * <p>Trackers of sub-resources know the tracker of their parent and are known to it: an access also meets accesses to
 * the ancestors and to the descendants of its resource, all taken as accesses to whole resources. Siblings never meet.
 *
 * <p>Threads: guarded by the lock of the scope that the tracker belongs to.
 *
 * @param <T> the type of holders of accesses: tasks
 */
public final class AccessTracker<T> {
    private static final int FIRST_CAPACITY = 4;
    /** The number of entries up to which a look at each is as fast as any other way. */
    private static final int FEW = 16;

    private static final @Nullable Object[] NONE = {};

    /**
     * Task and access in turn, which are always read together: writers from the front, readers from the back. One
     * array, so that a resource costs few cache lines.
     */
    private @Nullable Object[] slots = new @Nullable Object[2 * FIRST_CAPACITY];

    private int writers;
    private int readers;
    /** As the dependents said at the last submission. */
    private int epoch;

    /** The accesses, once it is worth it; the lists are empty then, for good. */
    private @Nullable AccessIndex<T> index;

    /** The parent and the sub-resources; null for most resources, which have neither. */
    private @Nullable TrackerNode<T> kin;

    /** A tracker of a resource without a parent. */
    public AccessTracker() {}

    /** A tracker of a sub-resource of the resource of {@code parent}. */
    public AccessTracker(AccessTracker<T> parent) {
        if (parent.kin == null) {
            parent.kin = new TrackerNode<>(parent, null);
        }
        kin = new TrackerNode<>(this, parent.kin);
    }

    /**
     * Asks all questions that {@link #submit} will ask, so that an access that throws does so before anything has
     * changed.
     */
    public void probe(Access access) {
        if (kin != null) {
            kin.probe(access);
        }
        ask(access);
    }

    /** Readers never meet, so the answer of one about another would be ignored. */
    private static void requireWriter(Access access, Access known) {
        if (!access.writes() && !known.writes()) {
            throw new IllegalArgumentException("access " + access
                    + " breaks a law of Access: two accesses of which neither writes never conflict, and it conflicts"
                    + " with an earlier " + known + "; let writes() answer true, or conflictsWith(...) false");
        }
    }

    /** Asks the questions that {@link #meet} will ask. */
    void ask(Access access) {
        Visitor<T> asked = (task, known) -> {
            if (access.conflictsWith(known)) {
                requireWriter(access, known);
                access.covers(known);
            }
        };
        if (index != null) {
            index.each(access, asked);
        } else {
            each(asked);
        }
    }

    /** Makes {@code later} wait for every tracked access that {@code access} conflicts with, and tracks it. */
    public void submit(T later, Access access, Dependents<T> dependents) {
        boolean reads = access.reads();
        boolean writes = access.writes();
        if (!reads && !writes) {
            return;
        }
        if (kin != null) {
            kin.meet(later, access, dependents);
        } else if (epoch != dependents.epoch()) {
            beginEpoch(dependents.epoch());
        }
        if (slots.length > 2 * FEW && isIndexDue(access)) {
            makeIndex();
        }
        meet(later, access, true, dependents);
        if (index != null) {
            index.add(later, access, dependents);
        } else {
            append(later, access, writes, dependents);
        }
    }

    /** Forgets all, without a look at the tasks: their memory is in no cache any more. */
    private void beginEpoch(int now) {
        epoch = now;
        if (index != null) {
            index = new AccessIndex<>();
        } else {
            clear(false, 0, writers);
            clear(true, 0, readers);
            writers = 0;
            readers = 0;
        }
    }

    /**
     * Replaces an access of {@code task} by one that it covers, if it is still tracked: if not, one that covers it
     * waits for the task, and every access that conflicts with it waits for that one.
     */
    public void demote(T task, Access from, Access to, Dependents<T> dependents) {
        if (index != null) {
            boolean known = index.remove(task, from);
            if (known && (to.reads() || to.writes())) {
                index.add(task, to, dependents);
            }
            return;
        }
        boolean wrote = from.writes();
        int count = wrote ? writers : readers;
        for (int i = 0; i < count; i++) {
            int at = slot(!wrote, i);
            if (task(at) == task && access(at) == from) {
                if (to.writes() == wrote && (to.reads() || wrote)) {
                    slots[at + 1] = to;
                    return;
                }
                move(slot(!wrote, count - 1), at);
                clear(!wrote, count - 1, count);
                if (wrote) {
                    writers--;
                } else {
                    readers--;
                }
                if (to.reads()) {
                    append(task, to, false, dependents);
                }
                return;
            }
        }
    }

    /**
     * Puts {@code by} in the place of {@code task} with {@code access}, the same object, or removes the entry if that
     * is null. Does nothing if the entry is not tracked any more.
     */
    public void replace(T task, Access access, @Nullable T by) {
        if (index != null) {
            index.replace(task, access, by);
        } else if (replaces(false, writers, task, access, by)) {
            writers -= by == null ? 1 : 0;
        } else if (replaces(true, readers, task, access, by)) {
            readers -= by == null ? 1 : 0;
        }
    }

    private boolean replaces(boolean back, int count, T task, Access access, @Nullable T by) {
        for (int i = 0; i < count; i++) {
            int at = slot(back, i);
            if (slots[at] == task && slots[at + 1] == access) {
                slots[at] = by;
                if (by == null) {
                    move(slot(back, count - 1), at);
                    clear(back, count - 1, count);
                }
                return true;
            }
        }
        return false;
    }

    /** Calls {@code visitor} with every tracked task and access. */
    public void each(Visitor<T> visitor) {
        if (index != null) {
            index.each(visitor);
        }
        for (int i = 0; i < writers; i++) {
            visitor.entry(task(slot(false, i)), access(slot(false, i)));
        }
        for (int i = 0; i < readers; i++) {
            visitor.entry(task(slot(true, i)), access(slot(true, i)));
        }
    }

    /** Calls {@code visitor} with every tracked task and access to the resource and to its sub-resources. */
    public void eachWithin(Visitor<T> visitor) {
        each(visitor);
        if (kin != null) {
            kin.eachBelow(visitor);
        }
    }

    /** Returns the number of tracked accesses; for tests and diagnosis. */
    public int size() {
        return index == null ? writers + readers : index.size();
    }

    /** Nothing that a later access could meet. */
    boolean isEmpty() {
        return size() == 0;
    }

    /** Returns true if {@code access} would look at many entries, most of which may not conflict with it. */
    private boolean isIndexDue(Access access) {
        return writers > FEW || (readers > FEW && access instanceof AreaAccess && access.writes());
    }

    private void makeIndex() {
        AccessIndex<T> made = new AccessIndex<>();
        each(made::add);
        slots = NONE;
        writers = 0;
        readers = 0;
        index = made;
    }

    /** Drops accesses of tasks that are over. */
    void forget(Dependents<T> dependents) {
        if (index != null) {
            index.forget(dependents);
        } else {
            writers = forget(false, writers, dependents);
            readers = forget(true, readers, dependents);
        }
    }

    // ---- a later access

    /**
     * Makes {@code later} wait for all entries that {@code access} conflicts with; drops entries that it covers when it
     * may, and entries of tasks that are over.
     */
    void meet(T later, Access access, boolean mayDrop, Dependents<T> dependents) {
        if (index != null) {
            index.meet(later, access, mayDrop, dependents);
            return;
        }
        writers = meet(false, writers, later, access, mayDrop, access.reads(), dependents);
        if (access.writes()) {
            readers = meet(true, readers, later, access, mayDrop, false, dependents);
        }
    }

    // ---- the lists

    /**
     * Makes {@code later} wait for the entries it conflicts with, drops entries that no longer matter, counts the
     * others.
     */
    private int meet(
            boolean back,
            int count,
            T later,
            Access access,
            boolean mayDrop,
            boolean carriesFailure,
            Dependents<T> dependents) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int at = slot(back, i);
            T earlier = task(at);
            Access known = access(at);
            boolean keep = true;
            if (earlier != later && access.conflictsWith(known)) {
                dependents.link(earlier, later, carriesFailure);
                keep = !(mayDrop && access.covers(known)) && !dependents.isForgotten(earlier, !back);
            }
            if (keep) {
                move(at, slot(back, kept++));
            }
        }
        clear(back, kept, count);
        return kept;
    }

    private void append(T task, Access access, boolean writes, Dependents<T> dependents) {
        if (2 * (writers + readers) == slots.length) {
            makeRoom(dependents);
        }
        int at = writes ? slot(false, writers++) : slot(true, readers++);
        slots[at] = task;
        slots[at + 1] = access;
    }

    private void makeRoom(Dependents<T> dependents) {
        forget(dependents);
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

    @SuppressWarnings("NullAway") // where there is an entry there is an access
    private Access access(int at) {
        return (Access) slots[at + 1];
    }

    /**
     * Sees the entries of a tracker.
     *
     * @param <T> the type of tracked tasks
     */
    @FunctionalInterface
    public interface Visitor<T> {
        /** {@code task} has {@code access} to the resource, or had it and is over. */
        void entry(T task, Access access);
    }

    /**
     * The tracked tasks, as a tracker sees them.
     *
     * @param <T> the type of tracked tasks
     */
    public interface Dependents<T> {
        /**
         * Makes {@code later} wait for {@code earlier}, unless that is over.
         *
         * @param carriesFailure whether {@code later} sees the output of {@code earlier}, so that it cannot run when
         *     that fails
         */
        void link(T earlier, T later, boolean carriesFailure);

        /**
         * A number that changes when everything that is tracked is known to be over, and nothing of it matters any
         * more: then no tracker need look at these tasks.
         */
        default int epoch() {
            return 0;
        }

        /**
         * Returns true if {@code earlier} is over and left nothing that a later access must know of: a failed writer
         * leaves poisoned data.
         */
        boolean isForgotten(T earlier, boolean wrote);
    }
}
