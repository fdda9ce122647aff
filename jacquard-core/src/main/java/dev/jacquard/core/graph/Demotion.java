package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Resource;

/** An access of a task to {@code resource} becomes {@code to}, which it covers. */
record Demotion(Resource resource, Access to) {}
