package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tracked accesses of one class that have keys. A later access of that class is asked only about accesses that share a
 * key with it, any other access about each. Guarded like its tracker.
 *
 * @param <T> the type of holders of accesses: tasks
 */
final class KeyedAccesses<T> {
    /** The class of all of them. */
    final Class<?> type;
    /** The entries by their keys; one with several keys is there several times. */
    private Map<Object, List<Entry<T>>> byKey = new HashMap<>();

    private int size;
    /** The number of look-ups so far, by which an entry is found once. */
    private int lookUp;

    private static final class Entry<T> {
        /** Null once the entry is removed. */
        private @Nullable T task;

        private final Access access;
        /** The last look-up that found it. */
        private int seen;

        Entry(T task, Access access) {
            this.task = task;
            this.access = access;
        }
    }

    /** Decides if an entry stays. */
    private interface Fate<T> {
        boolean keeps(T task, Access access);
    }

    KeyedAccesses(Class<?> type) {
        this.type = type;
    }

    int size() {
        return size;
    }

    /** Adds an access of the class, with its keys. */
    void add(T task, Access access, Object[] keys) {
        Entry<T> entry = new Entry<>(task, access);
        for (Object key : keys) {
            byKey.merge(key, List.of(entry), KeyedAccesses::joined);
        }
        size++;
    }

    private static <T> List<Entry<T>> joined(List<Entry<T>> all, List<Entry<T>> more) {
        List<Entry<T>> joined = all instanceof ArrayList ? all : new ArrayList<>(all);
        joined.addAll(more);
        return joined;
    }

    /** Shows {@code visitor} all that an access with these keys may conflict with; all if there are none. */
    void each(Object[] keys, AccessTracker.Visitor<T> visitor) {
        for (Entry<T> entry : found(keys)) {
            if (entry.task != null) {
                visitor.entry(entry.task, entry.access);
            }
        }
    }

    /**
     * Makes {@code later} wait for all that {@code access} conflicts with; drops accesses that it covers when it may,
     * and accesses of tasks that are over.
     *
     * @param keys the keys of the access; none if it is of another class, or may touch any part
     */
    void meet(T later, Access access, Object[] keys, boolean mayDrop, AccessTracker.Dependents<T> dependents) {
        keep(keys, (earlier, known) -> {
            boolean wrote = known.writes();
            if (earlier == later || !(wrote || access.writes()) || !access.conflictsWith(known)) {
                return true;
            }
            dependents.link(earlier, later, wrote && access.reads());
            return !dependents.isForgotten(earlier, wrote) && !(mayDrop && access.covers(known));
        });
    }

    /** Puts {@code by} in the place of this access, the same object, of this task; returns true if it was there. */
    boolean replace(T task, Access access, @Nullable T by) {
        Object[] keys = Keys.of(access);
        for (Entry<T> entry : keys.length == 0 ? List.<Entry<T>>of() : found(keys)) {
            if (entry.task == task && entry.access == access) {
                entry.task = by;
                if (by == null) {
                    remove(entry);
                }
                return true;
            }
        }
        return false;
    }

    /** Drops accesses of tasks that are over. */
    void forget(AccessTracker.Dependents<T> dependents) {
        keep(new Object[0], (task, access) -> !dependents.isForgotten(task, access.writes()));
        byKey = new HashMap<>(byKey); // without the room that is not needed any more
    }

    /** Removes accesses that an access with these keys may conflict with, and that {@code fate} does not keep. */
    private void keep(Object[] keys, Fate<T> fate) {
        for (Entry<T> entry : found(keys)) {
            T task = entry.task;
            if (task != null && !fate.keeps(task, entry.access)) {
                entry.task = null;
                remove(entry);
            }
        }
    }

    private void remove(Entry<T> entry) {
        size--;
        for (Object key : Keys.of(entry.access)) {
            List<Entry<T>> its = byKey.get(key);
            if (its instanceof ArrayList && its.size() > 1) {
                its.remove(entry);
            } else if (its != null && its.contains(entry)) {
                byKey.remove(key);
            }
        }
    }

    /** Returns the entries with one of these keys, each once, in no order; all if there are none. */
    private List<Entry<T>> found(Object[] keys) {
        lookUp++;
        List<Entry<T>> found = new ArrayList<>();
        if (keys.length == 0) {
            byKey.values().forEach(its -> addNew(its, found));
        }
        for (Object key : keys) {
            addNew(byKey.getOrDefault(key, List.of()), found);
        }
        return found;
    }

    private void addNew(List<Entry<T>> its, List<Entry<T>> found) {
        for (Entry<T> entry : its) {
            if (entry.seen != lookUp && entry.task != null) {
                entry.seen = lookUp;
                found.add(entry);
            }
        }
    }
}
