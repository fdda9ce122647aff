package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resources that the sub-tasks of a refined task may touch, in checking mode: the task's own body must not touch
 * them. Threads: any; guarded by its own monitor.
 */
final class DelegatedAccesses {
    /** The name of the first sub-task that may touch each resource. */
    private final IdentityHashMap<Resource, String> first = new IdentityHashMap<>();

    synchronized void add(TaskNode subTask) {
        AccessList declared = subTask.declared();
        for (int i = 0; i < declared.size(); i++) {
            Access access = declared.access(i);
            if (access.reads() || access.writes()) {
                first.putIfAbsent(declared.resource(i), subTask.name());
            }
        }
    }

    synchronized void clear() {
        first.clear();
    }

    /**
     * Returns the name of a sub-task that may touch {@code resource}, a part of it, or a whole that contains it; null
     * for none.
     */
    synchronized @Nullable String to(Resource resource) {
        for (Map.Entry<Resource, String> entry : first.entrySet()) {
            Resource other = entry.getKey();
            if (other.isRelatedTo(resource)) {
                return entry.getValue();
            }
        }
        return null;
    }
}
