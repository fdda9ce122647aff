package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.AccessList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The claims with equal accesses to unordered resources. Guarded by the monitor of its {@link Exclusions}. */
final class ClaimGroup<T, P> {
    final AccessList accesses;

    final List<Tree<T, P>> trees;

    /** In no order; each knows its place. */
    final List<Claim<T, P>> holders = new ArrayList<>(1);

    final TreeSet<Claim<T, P>> waiters = new TreeSet<>();

    /**
     * The groups whose waiters wait until this group is not held any more; itself among them when its claims conflict
     * with each other.
     */
    final Set<ClaimGroup<T, P>> blocked = new LinkedHashSet<>();

    /** The group that has this one in {@link #blocked}; null when nothing waits here. */
    @Nullable
    ClaimGroup<T, P> blocker;

    ClaimGroup(AccessList accesses, List<Tree<T, P>> trees) {
        this.accesses = accesses;
        this.trees = trees;
    }

    boolean conflictsWith(ClaimGroup<T, P> earlier) {
        return accesses.excludes(earlier.accesses);
    }

    /** Waits for {@code other}. */
    void waitFor(ClaimGroup<T, P> other) {
        if (blocker != other) {
            blocker = other;
            other.blocked.add(this);
        }
    }

    /** One more holder. */
    void join(Claim<T, P> claim) {
        claim.place = holders.size();
        holders.add(claim);
        if (holders.size() == 1) {
            trees.forEach(tree -> tree.held.add(this));
        }
    }

    /** One holder less. */
    void leave(Claim<T, P> claim) {
        Claim<T, P> last = holders.removeLast();
        if (last != claim) {
            holders.set(claim.place, last);
            last.place = claim.place;
        }
        if (holders.isEmpty()) {
            trees.forEach(tree -> tree.held.remove(this));
        }
    }
}
