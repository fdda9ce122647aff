package dev.jacquard.memory.data;

/** Refuses to give the value of a handle to a caller that may not have it. Safe for use by any thread. */
@FunctionalInterface
public interface HandleGuard {
    /** The calling thread takes the value of {@code handle}; throws when it must not. */
    void touched(Handle<?> handle);
}
