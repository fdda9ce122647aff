package dev.jacquard.core.data;

/**
 * A resource with a value: the user's own object, which is wrapped as it is.
 *
 * <p>A task reads the value through its context, which checks that the task declared an access; {@link #value()} does not
 * check, and is for code outside of tasks that knows that no task is at work.
 *
 * @param <T> the type of the value
 */
public final class Handle<T> extends Resource {
    private final T value;

    /**
     * A handle on {@code value}.
     *
     * @param name shown in messages, traces and drawings
     * @param owner the session whose tasks may access it
     * @param value the user's object; not copied
     */
    public Handle(String name, Object owner, T value) {
        super(name, owner);
        this.value = value;
    }

    /** The value. The caller sees to it that no task changes it meanwhile. */
    public T value() {
        return value;
    }
}
