package dev.jacquard.flow.runtime;

/**
 * Hears of user code that threw while a lock was held: the run fails once the lock is released. Takes no lock itself.
 */
@FunctionalInterface
interface Faults {
    /**
     * User code threw.
     *
     * @param phase the phase of the body that was called
     * @param item the item that failed with it
     */
    void raise(String phase, Object item, Throwable problem);
}
