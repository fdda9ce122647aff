package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
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
     * The groups with waiters that wait until this group is not held any more; itself among them when its claims
     * conflict with each other.
     */
    final Set<ClaimGroup<T, P>> blocked = new LinkedHashSet<>();

    /** True while claims with equal accesses find this group. */
    boolean listed;
    /** True once it was forgotten, since nothing held it or waited. */
    boolean gone;

    /** The exception of a user's access that breaks its laws; null for none. */
    @Nullable
    Throwable broken;

    /** The group that has this one in {@link #blocked}; null when nothing waits here. */
    @Nullable
    ClaimGroup<T, P> blocker;

    ClaimGroup(AccessList accesses, List<Tree<T, P>> trees) {
        this.accesses = accesses;
        this.trees = trees;
    }

    /** Returns true if claims of this group wait for claims of the earlier one; also if an access cannot tell. */
    boolean conflictsWith(ClaimGroup<T, P> earlier) {
        try {
            return accesses.excludes(earlier.accesses);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            broken = e;
            return true;
        }
    }

    /** Returns a resource for which claims of this group wait for claims of {@code other}; null for none. */
    @Nullable
    Resource contested(ClaimGroup<T, P> other) {
        try {
            AccessList.Conflict first = accesses.conflict(other.accesses);
            return first == null ? null : first.resource();
        } catch (RuntimeException | LinkageError | AssertionError e) { // of an access that cannot tell
            return accesses.resource(0);
        }
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
