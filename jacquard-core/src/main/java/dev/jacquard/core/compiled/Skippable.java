package dev.jacquard.core.compiled;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;

/**
 * An access of a task that may be skipped, of a user-defined kind that overwrites. A skipped task overwrites nothing,
 * so that later tasks see the former contents. It meets others as its kind does, and reads; others take it for a kind
 * that they do not know.
 *
 * @param kind the access that the task declares
 */
record Skippable(Access kind) implements Access {
    /** Returns {@code access} as a task has it that may be skipped. */
    static Access of(Access access) {
        if (access.reads() || !access.writes()) {
            return access;
        }
        if (access == Mode.WRITE) {
            return Mode.UPDATE;
        }
        return access instanceof AreaAccess there
                ? new AreaAccess(of(there.kind()), there.area())
                : new Skippable(access);
    }

    private static Access declared(Access access) {
        return access instanceof Skippable its ? its.kind : access;
    }

    @Override
    public boolean conflictsWith(Access earlier) {
        return kind.conflictsWith(declared(earlier));
    }

    @Override
    public boolean covers(Access other) {
        return kind.covers(declared(other));
    }

    @Override
    public boolean reads() {
        return true;
    }

    @Override
    public boolean writes() {
        return true;
    }

    @Override
    public Access whole() {
        Access whole = kind.whole();
        return whole == kind ? this : of(whole);
    }

    @Override
    public String toString() {
        return kind.toString();
    }
}
