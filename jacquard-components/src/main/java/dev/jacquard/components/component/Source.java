package dev.jacquard.components.component;

import java.util.Objects;

/**
 * A socket that gives values to sinks.
 *
 * @param name unique among the component's sources
 * @param type the values
 * @param meaning a sentence for users
 * @param isAgain true if it closes a loop: it is plugged to the loop's entry, which sees its value in the next pass.
 *     The component is the loop's exit, then, and has one such source only
 * @param <T> the values
 */
public record Source<T>(String name, SocketType<T> type, String meaning, boolean isAgain)
        implements ComponentSocket<T> {
    public Source {
        Names.require("source", name);
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(meaning, "meaning");
    }

    /** A source for sinks of components that run later. */
    public static <T> Source<T> of(String name, SocketType<T> type, String meaning) {
        return new Source<>(name, type, meaning, false);
    }

    /** The source that closes a loop with the component as its exit. */
    public static <T> Source<T> again(String name, SocketType<T> type, String meaning) {
        return new Source<>(name, type, meaning, true);
    }
}
