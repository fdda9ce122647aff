package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tracked accesses of one kind: accesses to the whole resource in a list, accesses to areas in a grid. Whether a
 * later access conflicts with the kind, and covers it, is asked once for all of them; for areas the boxes decide the
 * rest.
 *
 * <p>Guarded like its tracker.
 *
 * @param <T> the type of holders of accesses: tasks
 */
final class AccessLayer<T> {
    private static final int FIRST_CAPACITY = 16;

    /** The one access to the whole resource, and the kind of the accesses to areas. */
    final Access kind;

    private final boolean writes;

    /** The tasks with an access to the whole resource. */
    private @Nullable Object[] wholes = new @Nullable Object[FIRST_CAPACITY];

    private int wholeCount;

    /** The areas; null before the first one. */
    private @Nullable AreaGrid grid;
    /**
     * Task and access in turn, by the number of the area in the grid; no access where the grid has the bounds alone.
     */
    private @Nullable Object[] parts = new @Nullable Object[0];

    AccessLayer(Access kind) {
        this.kind = kind;
        this.writes = kind.writes();
    }

    int size() {
        return wholeCount + (grid == null ? 0 : grid.size());
    }

    /** Returns true if an access of this kind can be added: areas must be of the same space. */
    boolean takes(Access access) {
        return access == kind
                || (access instanceof AreaAccess there
                        && there.kind() == kind
                        && (grid == null || grid.example().isInSpaceOf(there.area())));
    }

    /** Adds an access that it {@link #takes}. */
    void add(T task, Access access) {
        if (access == kind) {
            if (wholeCount == wholes.length) {
                wholes = Arrays.copyOf(wholes, 2 * wholeCount);
            }
            wholes[wholeCount++] = task;
        } else if (access instanceof AreaAccess there) {
            int _ = addPart(task, there);
        }
    }

    private int addPart(T task, AreaAccess access) {
        AreaGrid known = grid;
        if (known == null) {
            known = new AreaGrid(access.area());
            grid = known;
        }
        int number = known.add(access.area());
        if (parts.length < 2 * known.capacity()) {
            parts = Arrays.copyOf(parts, 2 * known.capacity());
        }
        parts[2 * number] = task;
        parts[2 * number + 1] = access;
        return number;
    }

    // ---- a later access

    /**
     * Makes {@code later} wait for all accesses that {@code access} conflicts with; drops accesses that it covers when
     * it may, and accesses of tasks that are over.
     */
    void meet(T later, Access access, boolean mayDrop, AccessTracker.Dependents<T> dependents) {
        if (!writes && !access.writes()) {
            return;
        }
        boolean carriesFailure = writes && access.reads();
        if (wholeCount > 0 && access.conflictsWith(kind)) {
            meetWholes(later, mayDrop && access.covers(kind), carriesFailure, dependents);
        }
        if (grid != null && grid.size() > 0) {
            if (access instanceof AreaAccess there) {
                if (there.kind().conflictsWith(kind)) {
                    meetParts(grid, later, there, mayDrop && there.kind().covers(kind), carriesFailure, dependents);
                }
            } else if (!(access instanceof Mode) || access.conflictsWith(kind)) {
                meetAllParts(grid, later, access, mayDrop, carriesFailure, dependents);
            }
        }
    }

    private void meetWholes(T later, boolean drops, boolean carriesFailure, AccessTracker.Dependents<T> dependents) {
        int kept = 0;
        for (int i = 0; i < wholeCount; i++) {
            T earlier = task(wholes, i);
            if (meets(earlier, later, drops, carriesFailure, dependents)) {
                wholes[kept++] = earlier;
            }
        }
        Arrays.fill(wholes, kept, wholeCount, null);
        wholeCount = kept;
    }

    private void meetParts(
            AreaGrid known,
            T later,
            AreaAccess access,
            boolean covers,
            boolean carriesFailure,
            AccessTracker.Dependents<T> dependents) {
        Area area = access.area();
        if (!known.example().isInSpaceOf(area)) {
            area.intersects(known.example()); // throws and names the mistake
        }
        int finds = known.find(area);
        for (int i = 0; i < finds; i++) {
            int number = known.found(i);
            boolean drops = covers && area.contains(Objects.requireNonNull(known.area(number)));
            if (!meets(task(parts, 2 * number), later, drops, carriesFailure, dependents)) {
                removePart(known, number);
            }
        }
    }

    /** An access that is not to an area asks for each, unless it is a mode, which has been asked for the kind. */
    private void meetAllParts(
            AreaGrid known,
            T later,
            Access access,
            boolean mayDrop,
            boolean carriesFailure,
            AccessTracker.Dependents<T> dependents) {
        for (int number = 0; number < known.top(); number++) {
            if (known.has(number)) {
                Access part = access(number);
                if (access.conflictsWith(part)
                        && !meets(
                                task(parts, 2 * number),
                                later,
                                mayDrop && access.covers(part),
                                carriesFailure,
                                dependents)) {
                    removePart(known, number);
                }
            }
        }
    }

    /** Returns true if the earlier task is to be kept. */
    private boolean meets(
            T earlier, T later, boolean drops, boolean carriesFailure, AccessTracker.Dependents<T> dependents) {
        if (earlier == later) {
            return true;
        }
        if (dependents.isForgotten(earlier, writes)) {
            return false;
        }
        dependents.link(earlier, later, carriesFailure);
        return !drops;
    }

    private void removePart(AreaGrid known, int number) {
        known.remove(number);
        parts[2 * number] = null;
        parts[2 * number + 1] = null;
    }

    // ---- changes

    /** Removes this access, the same object, of this task; whether it was there. */
    boolean remove(T task, Access access) {
        if (access == kind) {
            for (int i = wholeCount - 1; i >= 0; i--) {
                if (wholes[i] == task) {
                    wholes[i] = wholes[--wholeCount];
                    wholes[wholeCount] = null;
                    return true;
                }
            }
            return false;
        }
        int number =
                grid != null && access instanceof AreaAccess there && takes(there) ? number(grid, task, there) : -1;
        if (grid != null && number >= 0) {
            removePart(grid, number);
        }
        return number >= 0;
    }

    /** Returns the number of this area in the grid; negative if it is not there. */
    private int number(AreaGrid known, T task, AreaAccess access) {
        int finds = known.find(access.area());
        for (int i = 0; i < finds; i++) {
            int number = known.found(i);
            if (parts[2 * number] == task && parts[2 * number + 1] == access) {
                return number;
            }
        }
        return -1;
    }

    /** Puts {@code by} in the place of this access, the same object, of this task; returns true if it was there. */
    boolean replace(T task, Access access, T by) {
        if (access == kind) {
            for (int i = wholeCount - 1; i >= 0; i--) {
                if (wholes[i] == task) {
                    wholes[i] = by;
                    return true;
                }
            }
            return false;
        }
        int number = grid != null && access instanceof AreaAccess there ? number(grid, task, there) : -1;
        if (grid != null && number >= 0) {
            parts[2 * number] = by;
            parts[2 * number + 1] = null; // of accesses that stay for long only the bounds are kept
            grid.pack(number);
        }
        return number >= 0;
    }

    /** Drops accesses of tasks that are over, and the room that is not needed any more. */
    void forget(AccessTracker.Dependents<T> dependents) {
        int kept = 0;
        boolean poisoned = false;
        for (int i = 0; i < wholeCount; i++) {
            T task = task(wholes, i);
            if (!dependents.isForgotten(task, writes)) {
                // Of the tasks that are over and are here for their poison one says all: their accesses are the same.
                boolean poison = writes && dependents.isForgotten(task, false);
                if (!poison || !poisoned) {
                    wholes[kept++] = task;
                }
                poisoned |= poison;
            }
        }
        Arrays.fill(wholes, kept, wholeCount, null);
        wholeCount = kept;
        if (8 * kept < wholes.length && wholes.length > FIRST_CAPACITY) {
            wholes = Arrays.copyOf(wholes, Math.max(FIRST_CAPACITY, 2 * kept));
        }
        if (grid != null) {
            forgetParts(grid, dependents);
        }
    }

    private void forgetParts(AreaGrid known, AccessTracker.Dependents<T> dependents) {
        for (int number = 0; number < known.top(); number++) {
            if (known.has(number) && dependents.isForgotten(task(parts, 2 * number), writes)) {
                removePart(known, number);
            }
        }
        if (known.size() == 0) {
            if (known.capacity() > AreaGrid.FIRST_CAPACITY) {
                grid = null;
                parts = new @Nullable Object[0];
            }
        } else if (8 * known.size() < known.capacity() && known.capacity() > AreaGrid.FIRST_CAPACITY) {
            @Nullable Object[] before = parts;
            grid = null;
            parts = new @Nullable Object[0];
            for (int number = 0; number < known.top(); number++) {
                if (known.has(number)) {
                    addAgain(known, number, before);
                }
            }
        }
    }

    private void addAgain(AreaGrid known, int number, @Nullable Object[] before) {
        Object access = before[2 * number + 1];
        Area area = Objects.requireNonNull(known.area(number));
        int now = addPart(task(before, 2 * number), access == null ? new AreaAccess(kind, area) : (AreaAccess) access);
        if (access == null) {
            parts[2 * now + 1] = null;
            Objects.requireNonNull(grid).pack(now);
        }
    }

    void each(AccessTracker.Visitor<T> visitor) {
        for (int i = 0; i < wholeCount; i++) {
            visitor.entry(task(wholes, i), kind);
        }
        for (int number = 0; grid != null && number < grid.top(); number++) {
            if (grid.has(number)) {
                visitor.entry(task(parts, 2 * number), access(number));
            }
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // where there is an entry there is a task
    private T task(@Nullable Object[] from, int at) {
        return (T) from[at];
    }

    private Access access(int number) {
        Object access = parts[2 * number + 1];
        return access == null
                ? new AreaAccess(
                        kind,
                        Objects.requireNonNull(Objects.requireNonNull(grid).area(number)))
                : (Access) access;
    }
}
