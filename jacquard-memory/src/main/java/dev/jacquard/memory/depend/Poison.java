package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.lang.ref.WeakReference;
import java.util.List;

/**
 * One access that was to write, and why it did not. It keeps no resource alive: an unreachable resource can be met only
 * through a resource that it is a part of, and so can the entry in its place here, some part of that resource.
 *
 * @param path the resource and all that it is a part of, the root last
 * @param part true if a part of the first in the path is meant that is unreachable now
 * @param access to the first in the path, or to the part as a whole
 * @param why explains it
 * @param number greater than that of all before
 */
record Poison<P>(List<WeakReference<Resource>> path, boolean part, Access access, P why, long number) {

    /**
     * True if every access that {@code known} poisons is also poisoned by this one, of {@code resource}; keeping both
     * is redundant.
     */
    boolean says(Resource resource, Poison<P> known) {
        return known.isOf(resource) && (known.access == access || isOver(access, known.access));
    }

    /** The same with the first in the path that is there; for a root that is gone, this. */
    Poison<P> current() {
        int first = 0;
        while (first < path.size() - 1 && path.get(first).refersTo(null)) {
            first++;
        }
        return first == 0 ? this : new Poison<>(path.subList(first, path.size()), true, access.whole(), why, number);
    }

    /** Returns true if this and {@code other} poison the same accesses, as parts that are unreachable now. */
    boolean isAlike(Poison<P> other) {
        Resource whole = path.getFirst().get();
        return part && other.part && other.path.getFirst().refersTo(whole) && areEqual(access, other.access);
    }

    /** True if one of these accesses is to read this. */
    boolean isReadBy(AccessList accesses) {
        for (int i = 0; i < accesses.size(); i++) {
            Resource mine = accesses.resource(i);
            Access how = accesses.access(i);
            if (isOf(mine)
                    ? how.reads() && conflict(how, access)
                    : (isWithin(mine) || isAround(mine))
                            && how.whole().reads()
                            && conflict(how.whole(), access.whole())) {
                return true;
            }
        }
        return false;
    }

    /** True if a claim with these accesses overwrites this, if it ends well. */
    boolean isOverwrittenBy(AccessList accesses) {
        for (int i = 0; i < accesses.size(); i++) {
            Resource mine = accesses.resource(i);
            Access how = accesses.access(i);
            if (isOf(mine)
                    ? isOver(how, access)
                    : isWithin(mine) && areEqual(how.whole(), how) && isOver(how, access.whole())) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if the accesses are equal; false if they cannot tell. */
    private static boolean areEqual(Access one, Access other) {
        try {
            return one.equals(other);
        } catch (RuntimeException | LinkageError | AssertionError e) { // it breaks its laws
            return false;
        }
    }

    /** Returns true if the later access has all that the earlier one has, and excludes it; false if it cannot tell. */
    private static boolean isOver(Access later, Access earlier) {
        try {
            return later.conflictsWith(earlier) && later.covers(earlier);
        } catch (RuntimeException | LinkageError | AssertionError e) { // it breaks its laws
            return false;
        }
    }

    /** Returns true if the two conflict, or the later one cannot tell. */
    private static boolean conflict(Access later, Access earlier) {
        try {
            return later.conflictsWith(earlier);
        } catch (RuntimeException | LinkageError | AssertionError e) { // it breaks its laws
            return true;
        }
    }

    private boolean isOf(Resource resource) {
        return !part && path.getFirst().refersTo(resource);
    }

    private boolean isWithin(Resource whole) {
        for (int i = part ? 0 : 1; i < path.size(); i++) {
            if (path.get(i).refersTo(whole)) {
                return true;
            }
        }
        return false;
    }

    /** True if {@code resource} is a part of this. */
    private boolean isAround(Resource resource) {
        Resource mine = part ? null : path.getFirst().get();
        return mine != null && resource.isWithin(mine);
    }
}
