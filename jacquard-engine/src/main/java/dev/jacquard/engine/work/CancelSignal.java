package dev.jacquard.engine.work;

/** Work that may be cancelled while it runs. */
@FunctionalInterface
public interface CancelSignal {
    /** Returns true once it was cancelled; never false after that. Cheap. Any thread. */
    boolean cancelled();
}
