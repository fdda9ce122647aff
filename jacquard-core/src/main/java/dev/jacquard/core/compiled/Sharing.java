package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.Dispatcher;

/** The ways in which tasks that become ready together reach the workers. */
enum Sharing {
    /** One thread runs all tasks. */
    ALONE,
    /** Workers steal from each other. */
    STOLEN,
    /** A policy orders each ready task. */
    ORDERED;

    /** @param alone true if one thread alone runs the tasks */
    static Sharing of(Dispatcher dispatcher, boolean alone) {
        if (dispatcher.policyQuestions().readyTasks()) {
            return ORDERED;
        }
        return alone ? ALONE : STOLEN;
    }
}
