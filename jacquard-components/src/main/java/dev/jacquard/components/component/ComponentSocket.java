package dev.jacquard.components.component;

/**
 * A place where a component takes or gives values. Declared once, as a constant, and used as the typed key to open it.
 *
 * @param <T> the values
 */
public sealed interface ComponentSocket<T> permits Sink, Source {
    /** The name, unique among the component's sinks or sources: lower case, with digits and hyphens. */
    String name();

    /** The type of the values. */
    SocketType<T> type();

    /** A sentence for users. */
    String meaning();
}
