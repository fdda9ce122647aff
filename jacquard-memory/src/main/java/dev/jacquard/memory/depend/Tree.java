package dev.jacquard.memory.depend;

import dev.jacquard.memory.data.Resource;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/**
 * An unordered resource and its parts, as far as they are held or waited for. Guarded by the monitor of its
 * {@link Exclusions}.
 */
final class Tree<T, P> {
    final Resource root;
    /** The number of groups that have accesses here. */
    int groups;

    final LinkedHashSet<ClaimGroup<T, P>> held = new LinkedHashSet<>();
    /** All that wait and need something here, by age. */
    final LinkedHashSet<Claim<T, P>> waiters = new LinkedHashSet<>();

    Tree(Resource root) {
        this.root = root;
    }

    @Nullable
    Claim<T, P> oldest() {
        return waiters.isEmpty() ? null : waiters.getFirst();
    }
}
