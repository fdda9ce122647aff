package dev.jacquard.core.testing.random;

import dev.jacquard.memory.access.Mode;

/** The ways in which a task works on what it accesses. */
enum How {
    READ(Mode.READ),
    WRITE(Mode.WRITE),
    OVERWRITE(Mode.OVERWRITE),
    ADD(Mode.ADD),
    MUL(Mode.MUL),
    /** Under a lock, in any order: adds, not atomically. */
    LOCKED(Mode.WRITE),
    NONE(Mode.NONE);

    final Mode mode;

    How(Mode mode) {
        this.mode = mode;
    }

    /** True if it depends on what it finds. */
    boolean looks() {
        return this == READ || this == WRITE;
    }

    /** True if it needs what others were to write. */
    boolean reads() {
        return this == READ || this == WRITE || this == ADD || this == MUL;
    }

    boolean writes() {
        return this == WRITE || this == OVERWRITE || this == ADD || this == MUL;
    }

    boolean isExclusive() {
        return this == WRITE || this == OVERWRITE || this == LOCKED;
    }

    /** True if the two must not happen at the same time. */
    boolean conflicts(How other) {
        return this != NONE && other != NONE && (this != other || isExclusive());
    }
}
