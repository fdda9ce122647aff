package dev.jacquard.tools;

import org.jspecify.annotations.Nullable;

/** Ends a command that a signal has stopped. */
final class StoppedException extends Exception {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    StoppedException(String message, int exitCode, @Nullable Exception cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** Returns the exit code that a shell reports for a process that the signal has ended. */
    int exitCode() {
        return exitCode;
    }
}
