package dev.jacquard.core.depend;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Questions about accesses to unordered resources: arrays of a resource and an access in turn. */
final class Meeting {
    private Meeting() {}

    /**
     * Asks of two accesses to related resources, as they are when the resources are the same, else as they are to the
     * whole.
     */
    @FunctionalInterface
    interface Question {
        boolean ask(Access mine, Access theirs);
    }

    /** Those accesses that are to unordered resources. */
    static @Nullable Object[] unordered(@Nullable Object[] accesses) {
        @Nullable Object[] found = new @Nullable Object[accesses.length];
        int size = 0;
        for (int i = 0; i < accesses.length; i += 2) {
            if (accesses[i] instanceof Resource resource && resource.isUnordered()) {
                found[size++] = resource;
                found[size++] = accesses[i + 1];
            }
        }
        return size == found.length ? found : Arrays.copyOf(found, size);
    }

    static Resource resource(@Nullable Object[] accesses, int at) {
        return (Resource) Objects.requireNonNull(accesses[at]);
    }

    static Access access(@Nullable Object[] accesses, int at) {
        return (Access) Objects.requireNonNull(accesses[at + 1]);
    }

    /** The root of the tree of the resource there. */
    static Resource root(@Nullable Object[] accesses, int at) {
        Resource root = resource(accesses, at);
        for (Resource above = root.parent(); above != null; above = above.parent()) {
            root = above;
        }
        return root;
    }

    /** A resource of {@code later} for which it conflicts with {@code earlier}; null when it does not. */
    static @Nullable Resource contested(@Nullable Object[] later, @Nullable Object[] earlier) {
        return meeting(later, earlier, Access::conflictsWith);
    }

    /** A resource of {@code later} for which the answer is true; null when there is none. */
    static @Nullable Resource meeting(@Nullable Object[] later, @Nullable Object[] earlier, Question question) {
        for (int i = 0; i < later.length; i += 2) {
            Resource mine = resource(later, i);
            for (int j = 0; j < earlier.length; j += 2) {
                Resource theirs = resource(earlier, j);
                boolean same = mine == theirs;
                if (same
                        ? question.ask(access(later, i), access(earlier, j))
                        : (mine.isWithin(theirs) || theirs.isWithin(mine))
                                && question.ask(
                                        access(later, i).whole(),
                                        access(earlier, j).whole())) {
                    return mine;
                }
            }
        }
        return null;
    }
}
