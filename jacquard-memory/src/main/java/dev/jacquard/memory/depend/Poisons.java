package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/**
 * The values of unordered resources that failed holders did not write, as long as a resource is reachable that meets
 * them. Guarded by the monitor of its {@link Exclusions}.
 */
final class Poisons<P> {
    /** By the roots of the resources: accesses to resources of other trees cannot meet. No value refers to its key. */
    private final Map<Resource, PoisonedTree<P>> byRoot = new WeakHashMap<>();
    /** The number of poisons so far. */
    private long added;

    /** A claim with these accesses failed. A resource without a value is a lock, and has nothing to poison. */
    void add(AccessList accesses, P why) {
        for (int i = 0; i < accesses.size(); i++) {
            Resource resource = accesses.resource(i);
            Access access = accesses.access(i);
            added++;
            if (resource.hasValue() && access.writes()) {
                PoisonedTree<P> all = byRoot.computeIfAbsent(resource.root(), PoisonedTree::new);
                Poison<P> one = new Poison<>(all.path(resource), false, access, why, added);
                // Else each task that it cancels would add to it, without end.
                all.removeIf(AccessList.of(resource, access), known -> one.says(resource, known));
                all.joinParts();
                all.add(one);
            }
        }
    }

    void clear() {
        byRoot.clear();
    }

    /** Returns the number of poisons; for tests. */
    int size() {
        return byRoot.values().stream().mapToInt(PoisonedTree::size).sum();
    }

    /** Returns the number of the last one; 0 when there was none. */
    long last() {
        return added;
    }

    /** A claim with these accesses holds now: reports poison of data that it is to read to {@code spoiled}. */
    void tell(AccessList accesses, Consumer<P> spoiled) {
        for (int i = 0; i < accesses.size() && !byRoot.isEmpty(); i++) {
            PoisonedTree<P> all = byRoot.get(accesses.resource(i).root());
            Poison<P> newest = all == null ? null : all.newest(accesses, poison -> poison.isReadBy(accesses));
            if (newest != null) {
                spoiled.accept(newest.why());
                return;
            }
        }
    }

    /**
     * A claim has overwritten all that it was to overwrite by {@code before}, except for data that it goes on writing
     * by {@code now}. Forgets that this was poisoned when the claim began to hold.
     *
     * @param last the number of the last one that there was then
     */
    void writtenAnew(AccessList before, AccessList now, long last) {
        for (int i = 0; i < before.size() && !byRoot.isEmpty(); i++) {
            Resource root = before.resource(i).root();
            PoisonedTree<P> all = byRoot.get(root);
            if (all != null) {
                all.removeIf(
                        before,
                        one -> one.number() <= last && one.isOverwrittenBy(before) && !one.isOverwrittenBy(now));
                if (all.size() == 0) {
                    byRoot.remove(root);
                }
            }
        }
    }
}
