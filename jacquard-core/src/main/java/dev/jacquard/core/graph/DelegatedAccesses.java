package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * In checking mode: what the sub-tasks of a refined task may touch, so that its own body may not. Threads: any, under
 * its monitor.
 */
final class DelegatedAccesses {
    /** The first sub-task of each resource. */
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
     * The name of a sub-task that may touch {@code resource}, a part of it, or what it is a part of; null when none
     * may.
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
