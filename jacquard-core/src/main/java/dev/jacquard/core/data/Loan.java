package dev.jacquard.core.data;

/**
 * The time for which a pool lends a value under one handle. The next loan of the same value has another handle.
 *
 * <p>Threads: any.
 */
public interface Loan {
    /** True if the value was given back; it may be lent under another handle by now. */
    boolean isOver();
}
