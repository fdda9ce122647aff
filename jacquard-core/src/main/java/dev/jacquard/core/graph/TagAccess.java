package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;

/** How tasks touch the resource that stands for a tag: those after the members wait for them, and nobody else waits. */
enum TagAccess implements Access {
    /** Has the tag. */
    MEMBER,
    /** Comes after those that have it. */
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
}
