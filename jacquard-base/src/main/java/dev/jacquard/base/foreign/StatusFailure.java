package dev.jacquard.base.foreign;

/** The exception of a library's statuses: the one place where they become messages. Threads: any. */
@FunctionalInterface
public interface StatusFailure {
    /**
     * Returns the exception of a call that failed.
     *
     * @param function the C function's name
     * @param status its status, not 0
     */
    RuntimeException of(String function, int status);
}
