package dev.jacquard.memory.data;

/**
 * The time for which a pool lends a value under one handle. The next loan of the same value has another handle.
 *
 * <p>Threads: any.
 */
public interface Loan {
    /** True if the value was given back; it may be lent under another handle by now. */
    boolean isOver();

    /**
     * For the engine: a task, a view or a compiled graph declares an access to the handle, or to a part of it. Called
     * as often as that happens, before the first of them can run.
     */
    default void declared() {}
}
