package dev.jacquard.apps.replay;

import java.util.Locale;

/** A property of a task for its whole life. Source: the resource-register document, section 3.1. */
enum TaskFlag {
    /** The main thread runs it. */
    MAIN,
    /** A barrier: it starts after all earlier tasks are over, and no later one starts before it is over. */
    SYNCHRONIZING;

    /** As files write it: {@code "main"}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
