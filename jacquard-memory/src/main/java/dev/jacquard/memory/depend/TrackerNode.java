package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tracker's place in a tree of resources. An access meets accesses to all ancestors and all descendants, as accesses
 * to whole resources; one to a whole resource drops accesses below that it covers.
 *
 * <p>A node knows only the nodes below in which, or below which, something is tracked, so that neither its cost nor its
 * memory grows with sub-resources of the past. Guarded like the trackers.
 *
 * @param <T> the type of holders of accesses: tasks
 */
final class TrackerNode<T> {
    private static final int FEW = 16;

    private final AccessTracker<T> self;
    private final @Nullable TrackerNode<T> parent;
    private final List<TrackerNode<T>> below = new ArrayList<>(0);
    /** True if the parent knows of this node. */
    private boolean listed;
    /** The number of children at which empty ones are looked for. */
    private int full = FEW;

    TrackerNode(AccessTracker<T> self, @Nullable TrackerNode<T> parent) {
        this.self = self;
        this.parent = parent;
    }

    /** Asks everything that {@link #meet} will ask. */
    void probe(Access access) {
        Access whole = access.whole();
        for (TrackerNode<T> above = parent; above != null; above = above.parent) {
            above.self.ask(whole);
        }
        probeBelow(whole);
    }

    private void probeBelow(Access whole) {
        for (TrackerNode<T> child : below) {
            child.self.ask(whole);
            child.probeBelow(whole);
        }
    }

    /**
     * Makes {@code later} wait for accesses above and below that it conflicts with, and notifies the nodes above that
     * something is here.
     */
    void meet(T later, Access access, AccessTracker.Dependents<T> dependents) {
        Access whole = access.whole();
        for (TrackerNode<T> above = parent; above != null; above = above.parent) {
            above.self.meet(later, whole, false, dependents);
        }
        meetBelow(later, whole, access.equals(whole), dependents);
        for (TrackerNode<T> it = this; it.parent != null && !it.listed; it = it.parent) {
            it.parent.list(it, dependents);
        }
    }

    private void meetBelow(T later, Access whole, boolean mayDrop, AccessTracker.Dependents<T> dependents) {
        for (int i = below.size() - 1; i >= 0; i--) {
            TrackerNode<T> child = below.get(i);
            child.self.meet(later, whole, mayDrop, dependents);
            child.meetBelow(later, whole, mayDrop, dependents);
            if (child.isEmpty()) {
                unlist(i);
            }
        }
    }

    private void list(TrackerNode<T> child, AccessTracker.Dependents<T> dependents) {
        if (below.size() >= full) {
            forget(dependents);
        }
        below.add(child);
        child.listed = true;
    }

    private void forget(AccessTracker.Dependents<T> dependents) {
        for (int i = below.size() - 1; i >= 0; i--) {
            TrackerNode<T> child = below.get(i);
            child.self.forget(dependents);
            child.forget(dependents);
            if (child.isEmpty()) {
                unlist(i);
            }
        }
        full = Math.max(FEW, 2 * below.size());
    }

    private void unlist(int index) {
        TrackerNode<T> last = below.removeLast();
        TrackerNode<T> child = index == below.size() ? last : below.set(index, last);
        child.listed = false;
    }

    /** Calls {@code visitor} with every entry below. */
    void eachBelow(AccessTracker.Visitor<T> visitor) {
        for (TrackerNode<T> child : below) {
            child.self.each(visitor);
            child.eachBelow(visitor);
        }
    }

    private boolean isEmpty() {
        return below.isEmpty() && self.isEmpty();
    }
}
