package dev.jacquard.memory.data;

/** Is asked before a handle gives its value out: refuses who may not have it. Safe for use by any thread. */
@FunctionalInterface
public interface HandleGuard {
    /** The calling thread takes the value of {@code handle}; throws when it must not. */
    void touched(Handle<?> handle);
}
