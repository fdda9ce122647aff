package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.lang.ref.WeakReference;
import java.util.List;

/**
 * One access that was to write, and why it did not. It keeps no resource alive: an unreachable resource can be met
 * through what it is a part of only, and so can what is in its place here, some part of that.
 *
 * @param path the resource and all that it is a part of, the root last
 * @param part true if a part of the first in the path is meant that is unreachable now
 * @param access to the first in the path, or to the part as a whole
 * @param why explains it
 */
record Poison<P>(List<WeakReference<Resource>> path, boolean part, Access access, P why) {

    /**
     * True if every access that {@code known} poisons is also poisoned by this one, of {@code resource}; keeping both
     * is redundant.
     */
    boolean says(Resource resource, Poison<P> known) {
        return known.isOf(resource)
                && (known.access == access || (access.conflictsWith(known.access) && access.covers(known.access)));
    }

    /** The same with the first in the path that is there; for a root that is gone, this. */
    Poison<P> current() {
        int first = 0;
        while (first < path.size() - 1 && path.get(first).refersTo(null)) {
            first++;
        }
        return first == 0 ? this : new Poison<>(path.subList(first, path.size()), true, access.whole(), why);
    }

    /** Returns true if this and {@code other} poison the same accesses, as parts that are unreachable now. */
    boolean isAlike(Poison<P> other) {
        Resource whole = path.getFirst().get();
        return part && other.part && other.path.getFirst().refersTo(whole) && access.equals(other.access);
    }

    /** True if one of these accesses is to read this. */
    boolean isReadBy(AccessList accesses) {
        for (int i = 0; i < accesses.size(); i++) {
            Resource mine = accesses.resource(i);
            Access how = accesses.access(i);
            if (isOf(mine)
                    ? how.reads() && how.conflictsWith(access)
                    : (isWithin(mine) || isAround(mine))
                            && how.whole().reads()
                            && how.whole().conflictsWith(access.whole())) {
                return true;
            }
        }
        return false;
    }

    /** True if a claim with these accesses writes this anew. */
    boolean isOverwrittenBy(AccessList accesses) {
        for (int i = 0; i < accesses.size(); i++) {
            Resource mine = accesses.resource(i);
            Access how = accesses.access(i);
            if (isOf(mine)
                    ? how.conflictsWith(access) && how.covers(access)
                    : isWithin(mine)
                            && how.whole().equals(how)
                            && how.conflictsWith(access.whole())
                            && how.covers(access.whole())) {
                return true;
            }
        }
        return false;
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
