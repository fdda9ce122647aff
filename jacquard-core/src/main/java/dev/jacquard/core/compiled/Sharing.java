package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.Dispatcher;

/** The ways in which tasks that become ready together reach the workers. */
enum Sharing {
    /** There is one worker. */
    ALONE,
    /** Workers steal from each other. */
    STOLEN,
    /** A policy orders each ready task. */
    ORDERED;

    static Sharing of(Dispatcher dispatcher) {
        if (dispatcher.hasPolicy()) {
            return ORDERED;
        }
        return dispatcher.workers() == 1 ? ALONE : STOLEN;
    }
}
