package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/**
 * The values of unordered resources that failed holders did not write, as long as a resource is reachable that meets
 * them. Guarded by the monitor of its {@link Exclusions}.
 */
final class Poisons<P> {
    /** By the roots of the resources: accesses to those of other trees cannot meet. No value refers to its key. */
    private final Map<Resource, List<Poison<P>>> byRoot = new WeakHashMap<>();
    /** The number of poisons so far. */
    private long added;

    /** A claim with these accesses failed. A resource without a value is a lock, and has nothing to poison. */
    void add(AccessList accesses, P why) {
        for (int i = 0; i < accesses.size(); i++) {
            Resource resource = accesses.resource(i);
            Poison<P> one = new Poison<>(path(resource), false, accesses.access(i), why, ++added);
            if (resource.hasValue() && one.access().writes()) {
                List<Poison<P>> all =
                        byRoot.computeIfAbsent(accesses.resource(i).root(), root -> new ArrayList<>(1));
                // Else each of those that it cancels would add to it, without end.
                all.removeIf(known -> one.says(resource, known));
                joinParts(all);
                all.add(one);
            }
        }
    }

    private static List<WeakReference<Resource>> path(Resource resource) {
        List<WeakReference<Resource>> path = new ArrayList<>(2);
        for (Resource each = resource; each != null; each = each.parent()) {
            path.add(new WeakReference<>(each));
        }
        return path;
    }

    /** Keeps one for all parts of a resource that are unreachable now. */
    private static <P> void joinParts(List<Poison<P>> all) {
        List<Poison<P>> parts = new ArrayList<>(0);
        all.removeIf(known -> {
            Poison<P> now = known.current();
            if (now.part()) {
                parts.removeIf(now::isAlike); // the last of them counts
                parts.add(now);
            }
            return now.part();
        });
        all.addAll(0, parts);
    }

    void clear() {
        byRoot.clear();
    }

    /** Returns the number of poisons; for tests. */
    int size() {
        return byRoot.values().stream().mapToInt(List::size).sum();
    }

    /** Returns the number of the last one; 0 when there was none. */
    long last() {
        return added;
    }

    /** A claim with these accesses holds now: tells {@code spoiled} of what it is to read. */
    void tell(AccessList accesses, Consumer<P> spoiled) {
        for (int i = 0; i < accesses.size() && !byRoot.isEmpty(); i++) {
            List<Poison<P>> all = byRoot.getOrDefault(accesses.resource(i).root(), List.of());
            for (Poison<P> poison : all.reversed()) {
                if (poison.isReadBy(accesses)) {
                    spoiled.accept(poison.why());
                    return;
                }
            }
        }
    }

    /**
     * A claim has written all that it was to write anew by {@code before}, but what it goes on writing by {@code now}.
     * Forgets that this was poisoned when the claim began to hold.
     *
     * @param last the number of the last one that there was then
     */
    void writtenAnew(AccessList before, AccessList now, long last) {
        for (int i = 0; i < before.size() && !byRoot.isEmpty(); i++) {
            Resource root = before.resource(i).root();
            List<Poison<P>> all = byRoot.get(root);
            if (all != null) {
                all.removeIf(one -> one.number() <= last && one.isOverwrittenBy(before) && !one.isOverwrittenBy(now));
                if (all.isEmpty()) {
                    byRoot.remove(root);
                }
            }
        }
    }
}
