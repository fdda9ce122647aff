package dev.jacquard.components.component;

import java.util.Objects;

/**
 * A socket that takes the value of a source.
 *
 * @param name unique among the component's sinks
 * @param type the values that fit
 * @param meaning a sentence for users
 * @param isOptional true if the component also works while it is empty: plugged to no source, to one that was not set,
 *     or to the source that closes a loop, in the loop's first pass
 * @param <T> the values
 */
public record Sink<T>(String name, SocketType<T> type, String meaning, boolean isOptional)
        implements ComponentSocket<T> {
    public Sink {
        Names.require("sink", name);
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(meaning, "meaning");
    }

    /** A sink that has a value whenever the component is executed. */
    public static <T> Sink<T> of(String name, SocketType<T> type, String meaning) {
        return new Sink<>(name, type, meaning, false);
    }

    /** A sink that may be empty. */
    public static <T> Sink<T> optional(String name, SocketType<T> type, String meaning) {
        return new Sink<>(name, type, meaning, true);
    }
}
