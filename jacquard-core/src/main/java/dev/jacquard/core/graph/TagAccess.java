package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;

/**
 * The accesses to a resource that stands for a tag: tasks that come after the tag wait for its members, and no other
 * pair of tasks conflicts.
 */
enum TagAccess implements Access {
    /** The task has the tag. */
    MEMBER,
    /** The task comes after the tasks that have the tag. */
    AFTER;

    @Override
    public boolean conflictsWith(Access earlier) {
        return this == AFTER && earlier == MEMBER;
    }

    @Override
    public boolean covers(Access other) {
        return this == other;
    }

    @Override
    public boolean reads() {
        return this == AFTER;
    }

    @Override
    public boolean writes() {
        return this == MEMBER;
    }

    @Override
    public String toString() {
        return this == MEMBER ? "has" : "after";
    }

    /** A resource that stands for a tag. */
    static final class TagResource extends Resource {
        private final String tag;

        TagResource(String tag, Object owner) {
            super("tag " + tag, owner);
            this.tag = tag;
        }

        String tag() {
            return tag;
        }
    }
}
