package dev.jacquard.components.run;

import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.SocketType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The value of a source, which all sinks that are plugged to it read.
 *
 * <p>Threads: written by executions of the source's component, and by the run before them; read by executions of
 * components with the sinks. The run orders these, so the field is plain: within a pass a reader runs after the writer,
 * and a pass begins when the one before is over.
 *
 * @param <T> the values
 */
final class Cell<T> {
    private final String source;
    private final SocketType<T> type;
    private final boolean isPlugged;

    @Nullable
    T value;

    /** The bytes of all values that went to other ranks, to each of them; 0 if none did. Confined like the value. */
    private long sent;

    /**
     * A cell without a value.
     *
     * @param source the name of the source: {@code check.again}
     */
    Cell(String source, SocketType<T> type, boolean isPlugged) {
        this.source = source;
        this.type = type;
        this.isPlugged = isPlugged;
    }

    String source() {
        return source;
    }

    SocketType<T> type() {
        return type;
    }

    boolean isEmpty() {
        return value == null;
    }

    void clear() {
        value = null;
    }

    private void set(T its) {
        if (!type.takes(Objects.requireNonNull(
                its,
                () -> "source '" + source + "' was set to null; a source without a value is one that is not set"))) {
            throw new ClassCastException("source '" + source + "' was set to a value of "
                    + its.getClass().getName() + ", but gives " + type);
        }
        value = its;
    }

    /** The value went to other ranks. */
    void sent(long bytes) {
        sent += bytes;
    }

    /**
     * Returns the bytes of the values of all executions: as they were sent, or else as if each had the size of the last
     * one; 0 if that is not known.
     */
    long bytes(long executions) {
        T its = value;
        return sent > 0 || its == null ? sent : ValueSize.of(its) * executions;
    }

    /** Returns the output for the source's component. */
    Output<T> output() {
        return new CellOutput<>(this);
    }

    /**
     * Returns the input for a component with a sink.
     *
     * @param sink the name of the sink, for messages
     */
    Input<T> input(String sink) {
        return new CellInput<>(this, sink);
    }

    private record CellOutput<T>(Cell<T> cell) implements Output<T> {
        @Override
        public void set(T value) {
            cell.set(value);
        }

        @Override
        public boolean isPlugged() {
            return cell.isPlugged;
        }
    }

    private record CellInput<T>(Cell<T> cell, String sink) implements Input<T> {
        @Override
        public T get() {
            T value = cell.value;
            if (value == null) {
                throw new IllegalStateException("sink '" + sink + "' is empty: source '" + cell.source
                        + "' has no value now; ask isEmpty() before");
            }
            return value;
        }

        @Override
        public T orElse(T other) {
            T value = cell.value;
            return value == null ? other : value;
        }

        @Override
        public boolean isEmpty() {
            return cell.value == null;
        }

        @Override
        public boolean isPlugged() {
            return true;
        }
    }

    /** A sink that is plugged to nothing. */
    record Unplugged<T>(String sink) implements Input<T> {
        @Override
        public T get() {
            throw new IllegalStateException(
                    "sink '" + sink + "' is empty: it is plugged to no source; ask isEmpty() before");
        }

        @Override
        public T orElse(T other) {
            return other;
        }

        @Override
        public boolean isEmpty() {
            return true;
        }

        @Override
        public boolean isPlugged() {
            return false;
        }
    }
}
