package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Resource;
import org.jspecify.annotations.Nullable;

/**
 * What an earlier task was to write, and an adjustable one is to overwrite. When the earlier one fails, and the later one gives up to
 * overwrite before it has started, the poison is there as before.
 *
 * @param by what the later task declared
 * @param earlier who was to write
 * @param access to the same resource: what it was to write
 */
record Overwritten(Resource resource, Access by, Task earlier, Access access) {
    /** Why it is poisoned; null when it is not. The earlier task is over. */
    @Nullable
    Outcome poison() {
        return earlier.isOver() ? earlier.fate() : null;
    }

    /** Whether a task with these accesses writes all of it anew. */
    boolean isOverwrittenBy(@Nullable Object[] accesses) {
        for (int i = 0; i < accesses.length; i += 2) {
            if (isOverwrittenBy(accesses, i)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOverwrittenBy(@Nullable Object[] accesses, int at) {
        Resource of = Accesses.resource(accesses, at);
        Access other = Accesses.access(accesses, at);
        if (!other.writes() || other.reads()) {
            return false;
        }
        boolean above = resource.isWithin(of) && other.equals(other.whole());
        return above ? other.covers(access.whole()) : of == resource && other.covers(access);
    }

    /** Whether a task with these accesses reads it, and has not written it anew before. */
    boolean isReadBy(@Nullable Object[] accesses) {
        for (int i = 0; i < accesses.length && !isOverwrittenBy(accesses, i); i += 2) {
            Access other = Accesses.access(accesses, i);
            if (other.reads() && Accesses.conflict(Accesses.resource(accesses, i), other, resource, access)) {
                return true;
            }
        }
        return false;
    }
}
