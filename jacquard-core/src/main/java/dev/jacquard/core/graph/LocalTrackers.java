package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker;
import java.util.IdentityHashMap;
import java.util.function.BiConsumer;

/** The trackers of one scope, separate from the trackers in the resources. Guarded by the scope's lock. */
final class LocalTrackers {
    private final IdentityHashMap<Resource, AccessTracker<Tracked>> trackers = new IdentityHashMap<>();

    AccessTracker<Tracked> of(Resource resource) {
        AccessTracker<Tracked> known = trackers.get(resource);
        if (known == null) {
            Resource above = resource.parent();
            known = above == null ? new AccessTracker<>() : new AccessTracker<>(of(above));
            trackers.put(resource, known);
        }
        return known;
    }

    void clear() {
        trackers.clear();
    }

    void each(BiConsumer<Resource, AccessTracker<Tracked>> visitor) {
        trackers.forEach(visitor);
    }
}
