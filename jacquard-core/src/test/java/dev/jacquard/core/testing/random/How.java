package dev.jacquard.core.testing.random;

import dev.jacquard.memory.access.Mode;

/** The ways in which a task works on what it accesses. */
enum How {
    READ(Mode.READ),
    UPDATE(Mode.UPDATE),
    WRITE(Mode.WRITE),
    ADD(Mode.ADD),
    MUL(Mode.MUL),
    /** Under a lock, in any order: adds, not atomically. */
    LOCKED(Mode.UPDATE),
    /** The same, but the engine is told that it overwrites all. */
    RENEWED(Mode.WRITE),
    NONE(Mode.NONE);

    final Mode mode;

    How(Mode mode) {
        this.mode = mode;
    }

    /** True if it depends on what it finds. */
    boolean looks() {
        return this == READ || this == UPDATE;
    }

    /** True if it needs what others were to write. */
    boolean reads() {
        return this == READ || this == UPDATE || this == ADD || this == MUL;
    }

    boolean writes() {
        return this == UPDATE || this == WRITE || this == ADD || this == MUL;
    }

    boolean isExclusive() {
        return this == UPDATE || this == WRITE || isUnordered();
    }

    /** True if those who do it exclude each other in any order. */
    boolean isUnordered() {
        return this == LOCKED || this == RENEWED;
    }

    /** True if the two must not happen at the same time. */
    boolean conflicts(How other) {
        return this != NONE && other != NONE && (this != other || isExclusive());
    }
}
