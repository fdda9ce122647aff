package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;

/** A change of a task's access to {@code resource} to {@code to}, which the access covers. */
record Demotion(Resource resource, Access to) {}
