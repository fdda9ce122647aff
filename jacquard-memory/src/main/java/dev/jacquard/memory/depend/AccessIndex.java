package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.depend.AccessTracker.Visitor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Many accesses to one resource, in a layer per kind, so that a later access looks only at kinds with which it
 * conflicts, and there at areas near its own.
 *
 * <pre>
 *  READ   whole: t3 t9        areas: grid
 *  UPDATE                     areas: grid
 *  keyed: accesses to parts that have keys, by class and key
 *  others: accesses to parts that have no keys, and accesses that do not fit into a layer
 * </pre>
 *
 * <p>It answers like {@link AccessTracker}'s lists do; see there. Guarded like its tracker.
 *
 * @param <T> the type of holders of accesses: tasks
 */
final class AccessIndex<T> {
    /** Built-in modes and a table of usual size; more kinds are others. */
    private static final int MOST_LAYERS = 16;

    private static final int FEW = 32;

    private final List<AccessLayer<T>> layers = new ArrayList<>(4);
    /** Accesses to parts that have keys, by class. */
    private final List<KeyedAccesses<T>> keyed = new ArrayList<>(0);

    private final LiveAccesses<T> others = new LiveAccesses<>();

    /** The number of tracked accesses at which accesses of tasks that are over are looked for. */
    private int full = FEW;

    int size() {
        int size = others.size();
        for (int i = 0; i < layers.size(); i++) {
            size += layers.get(i).size();
        }
        for (int i = 0; i < keyed.size(); i++) {
            size += keyed.get(i).size();
        }
        return size;
    }

    /**
     * Makes {@code later} wait for all that {@code access} conflicts with; drops accesses that it covers when it may,
     * and accesses of tasks that are over.
     */
    void meet(T later, Access access, boolean mayDrop, AccessTracker.Dependents<T> dependents) {
        for (int i = 0; i < layers.size(); i++) {
            layers.get(i).meet(later, access, mayDrop, dependents);
        }
        for (int i = 0; i < keyed.size(); i++) {
            keyed.get(i).meet(later, access, keysFor(keyed.get(i), access), mayDrop, dependents);
        }
        others.meet(later, access, mayDrop, dependents);
    }

    /** Tracks an access that reads or writes. */
    void add(T task, Access access, AccessTracker.Dependents<T> dependents) {
        if (size() >= full) {
            forget(dependents);
        }
        add(task, access);
    }

    /** Tracks an access, without looking for accesses of tasks that are over. */
    void add(T task, Access access) {
        AccessLayer<T> layer = layer(access instanceof AreaAccess there ? there.kind() : access);
        if (layer != null && layer.takes(access)) {
            layer.add(task, access);
        } else {
            Object[] keys = Keys.of(access);
            if (keys.length == 0) {
                others.add(task, access);
            } else {
                keyed(access.getClass()).add(task, access, keys);
            }
        }
    }

    private KeyedAccesses<T> keyed(Class<?> type) {
        for (KeyedAccesses<T> known : keyed) {
            if (known.type == type) {
                return known;
            }
        }
        KeyedAccesses<T> made = new KeyedAccesses<>(type);
        keyed.add(made);
        return made;
    }

    /** Returns the keys by which {@code access} finds accesses that it may conflict with; none to look at each. */
    private static Object[] keysFor(KeyedAccesses<?> those, Access access) {
        return access.getClass() == those.type ? Keys.of(access) : new Object[0];
    }

    /** Shows {@code visitor} all that {@link #meet} would ask {@code access} about. */
    void each(Access access, Visitor<T> visitor) {
        layers.forEach(layer -> layer.each(visitor));
        keyed.forEach(those -> those.each(keysFor(those, access), visitor));
        others.each(visitor);
    }

    /** The layer of a kind, a new one when there is none yet; null when the kind is to a part, or one too many. */
    private @Nullable AccessLayer<T> layer(Access kind) {
        AccessLayer<T> empty = null;
        for (int i = 0; i < layers.size(); i++) {
            AccessLayer<T> layer = layers.get(i);
            if (layer.kind == kind) {
                return layer;
            }
            empty = layer.size() == 0 ? layer : empty;
        }
        if (kind.whole() != kind) {
            return null;
        }
        if (layers.size() == MOST_LAYERS) {
            if (empty == null) {
                return null;
            }
            layers.remove(empty);
        }
        AccessLayer<T> layer = new AccessLayer<>(kind);
        layers.add(layer);
        return layer;
    }

    /** Removes this access, the same object, of this task; whether it was there. */
    boolean remove(T task, Access access) {
        for (int i = 0; i < layers.size(); i++) {
            if (layers.get(i).takes(access) && layers.get(i).remove(task, access)) {
                return true;
            }
        }
        for (KeyedAccesses<T> those : keyed) {
            if (those.type == access.getClass() && those.replace(task, access, null)) {
                return true;
            }
        }
        return others.remove(task, access);
    }

    /** Puts {@code by} in the place of this access, the same object, of this task; removes it if that is null. */
    void replace(T task, Access access, @Nullable T by) {
        if (by == null) {
            boolean _ = remove(task, access);
            return;
        }
        for (int i = 0; i < layers.size(); i++) {
            if (layers.get(i).takes(access) && layers.get(i).replace(task, access, by)) {
                return;
            }
        }
        for (KeyedAccesses<T> those : keyed) {
            if (those.type == access.getClass() && those.replace(task, access, by)) {
                return;
            }
        }
        others.replace(task, access, by);
    }

    void each(Visitor<T> visitor) {
        layers.forEach(layer -> layer.each(visitor));
        keyed.forEach(those -> those.each(new Object[0], visitor));
        others.each(visitor);
    }

    /** Drops accesses of tasks that are over. */
    void forget(AccessTracker.Dependents<T> dependents) {
        layers.forEach(layer -> layer.forget(dependents));
        keyed.forEach(those -> those.forget(dependents));
        keyed.removeIf(those -> those.size() == 0);
        others.forget(dependents);
        full = Math.max(FEW, 2 * size());
    }
}
