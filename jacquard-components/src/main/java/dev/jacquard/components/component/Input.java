package dev.jacquard.components.component;

/**
 * An opened sink: the values that its source gives. Read within executions only.
 *
 * @param <T> the values
 */
public interface Input<T> {
    /**
     * Returns the value.
     *
     * @throws IllegalStateException if it is empty
     */
    T get();

    /** Returns the value, or {@code other} if it is empty. */
    T orElse(T other);

    /** Returns true if there is no value: see {@link Sink#isOptional}. */
    boolean isEmpty();

    /** Returns true if a source is plugged in. Constant. */
    boolean isPlugged();
}
