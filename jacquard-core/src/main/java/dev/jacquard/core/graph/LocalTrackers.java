package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker;
import java.util.IdentityHashMap;
import java.util.function.BiConsumer;

/** The trackers of one scope, separate from the trackers in the resources. Guarded by the scope's lock. */
final class LocalTrackers {
    private final IdentityHashMap<Resource, AccessTracker<TaskNode>> trackers = new IdentityHashMap<>();

    AccessTracker<TaskNode> of(Resource resource) {
        AccessTracker<TaskNode> known = trackers.get(resource);
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

    void each(BiConsumer<Resource, AccessTracker<TaskNode>> visitor) {
        trackers.forEach(visitor);
    }
}
