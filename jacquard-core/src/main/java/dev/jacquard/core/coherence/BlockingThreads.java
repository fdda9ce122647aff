package dev.jacquard.core.coherence;

/** Makes threads that block. */
@FunctionalInterface
public interface BlockingThreads {
    /** Starts one. */
    Thread start(String name, Runnable body);
}
