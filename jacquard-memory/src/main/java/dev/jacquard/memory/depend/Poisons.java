package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The values of unordered resources that failed holders did not write, as long as a resource is reachable that meets
 * them. Guarded by the monitor of its {@link Exclusions}.
 */
final class Poisons<P> {
    /** By the roots of the resources: accesses to those of other trees cannot meet. No value refers to its key. */
    private final Map<Resource, List<Poison<P>>> byRoot = new WeakHashMap<>();

    /** A claim with these accesses failed. A resource without a value is a lock, and has nothing to poison. */
    void add(AccessList accesses, P why) {
        for (int i = 0; i < accesses.size(); i++) {
            Resource resource = accesses.resource(i);
            Poison<P> one = new Poison<>(path(resource), false, accesses.access(i), why);
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
            if (now.part() && parts.stream().noneMatch(now::isAlike)) {
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

    /**
     * A claim with these accesses holds now: tells {@code spoiled} of what it is to read, or forgets what it writes
     * anew.
     */
    void tell(AccessList accesses, Consumer<P> spoiled) {
        for (int i = 0; i < accesses.size() && !byRoot.isEmpty(); i++) {
            Resource root = accesses.resource(i).root();
            List<Poison<P>> all = byRoot.get(root);
            P why = all == null ? null : take(all, accesses);
            if (why != null) {
                spoiled.accept(why);
                return;
            }
            if (all != null && all.isEmpty()) {
                byRoot.remove(root);
            }
        }
    }

    /** Returns why something of that tree is spoiled that {@code accesses} read, or forgets what they write anew. */
    private @Nullable P take(List<Poison<P>> all, AccessList accesses) {
        for (int i = all.size() - 1; i >= 0; i--) {
            Poison<P> poison = all.get(i);
            if (poison.isReadBy(accesses)) {
                return poison.why();
            }
            if (poison.isOverwrittenBy(accesses)) {
                all.remove(i);
            }
        }
        return null;
    }
}
