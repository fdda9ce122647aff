package dev.jacquard.memory.coherence;

/** Makes threads that block. */
@FunctionalInterface
public interface BlockingThreads {
    /** Starts one. */
    Thread start(String name, Runnable body);
}
