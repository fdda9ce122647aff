package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;

/** An access of a task to {@code resource} becomes {@code to}, which it covers. */
record Demotion(Resource resource, Access to) {}
