package dev.jacquard.core.session;

import dev.jacquard.memory.access.Access;

/** An access of the user's that reads and writes, and covers no other. */
interface WritingAccess extends Access {
    @Override
    default boolean covers(Access other) {
        return false;
    }

    @Override
    default boolean reads() {
        return true;
    }

    @Override
    default boolean writes() {
        return true;
    }
}
