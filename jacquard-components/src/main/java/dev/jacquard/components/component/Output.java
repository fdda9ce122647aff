package dev.jacquard.components.component;

/**
 * An opened source: its value is that of the last execution, and none until it is set there. Set within executions
 * only.
 *
 * @param <T> the values
 */
public interface Output<T> {
    /**
     * Sets the value. The sinks share it: a later change of it is a change for all of them.
     *
     * @throws NullPointerException if it is null; a source without a value is one that is not set
     * @throws ClassCastException if it is not of the socket's type
     */
    void set(T value);

    /** Returns true if it is plugged to a sink, so that its value is needed. Constant. */
    boolean isPlugged();
}
