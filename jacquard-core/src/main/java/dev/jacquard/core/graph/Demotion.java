package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.residency.Parts;

/** A change of a task's access to {@code resource} to {@code to}, which the access covers. */
record Demotion(Resource resource, Access to) {
    Demotion {
        to = Parts.meant(resource, to); // as accesses are declared, so that the accesses of sub-tasks are covered
    }
}
