package dev.jacquard.core.kernel;

import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.DataType;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A description of one argument of a kernel; checked at submission. Immutable.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3 (arguments of tasks).
 *
 * @param name the name by which bodies find the argument
 * @param kind the kind of argument
 * @param number the class of a number; null for any
 * @param type the type of the elements of data; null for any
 * @param dimensions the number of dimensions of data; 0 for any
 * @param like the name of an earlier parameter; its data has as many elements in each dimension; null for none
 * @param mode the access that the task must declare; null for any
 */
public record KernelParameter(
        String name,
        Kind kind,
        @Nullable Class<? extends Number> number,
        @Nullable DataType type,
        int dimensions,
        @Nullable String like,
        @Nullable Mode mode) {
    /** The kinds of arguments. */
    public enum Kind {
        /** A number, or data. */
        ANY,
        /** A number, given with the kernel. */
        NUMBER,
        /** Data that the task accesses. */
        DATA
    }

    public KernelParameter {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a parameter needs a name, not \"" + name + '"');
        }
        if (dimensions < 0) {
            throw new IllegalArgumentException(
                    "parameter \"" + name + "\" has at least 1 dimension, or 0 for any, not " + dimensions);
        }
        if (mode != null && kind != Kind.DATA) {
            throw new IllegalArgumentException("parameter \"" + name + "\" is to be accessed by " + mode
                    + ", and only data is: make it with KernelParameter.data(\"" + name + "\")");
        }
    }

    /** Returns a parameter of any kind. */
    public static KernelParameter any(String name) {
        Objects.requireNonNull(name, "name");
        return new KernelParameter(name, Kind.ANY, null, null, 0, null, null);
    }

    /** Returns a parameter for a number of any class. */
    public static KernelParameter number(String name) {
        Objects.requireNonNull(name, "name");
        return new KernelParameter(name, Kind.NUMBER, null, null, 0, null, null);
    }

    /**
     * Returns a parameter for a number of that class: {@link Integer}, {@link Long}, {@link Float} or {@link Double}.
     */
    public static KernelParameter number(String name, Class<? extends Number> type) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        return new KernelParameter(name, Kind.NUMBER, type, null, 0, null, null);
    }

    /** Returns a parameter for data with elements of any type. */
    public static KernelParameter data(String name) {
        Objects.requireNonNull(name, "name");
        return new KernelParameter(name, Kind.DATA, null, null, 0, null, null);
    }

    /** Returns a parameter for data with elements of that type. */
    public static KernelParameter data(String name, DataType type) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        return new KernelParameter(name, Kind.DATA, null, type, 0, null, null);
    }

    /** Returns the same parameter for data with {@code count} dimensions. */
    public KernelParameter dimensions(int count) {
        return new KernelParameter(name, kind, number, type, count, like, mode);
    }

    /**
     * Returns the same parameter for data with as many elements in each dimension as the data of an earlier parameter.
     */
    public KernelParameter like(String earlier) {
        Objects.requireNonNull(earlier, "earlier");
        return new KernelParameter(name, kind, number, type, dimensions, earlier, mode);
    }

    /**
     * Returns the same parameter for data that the kernel reads, and no more. A task that declares another access to it
     * is refused.
     *
     * @throws IllegalArgumentException if the parameter is not data
     */
    public KernelParameter read() {
        return accessed(Mode.READ);
    }

    /**
     * Returns the same parameter for data that the kernel writes without reading its former contents. Refuses and
     * throws like {@link #read}.
     */
    public KernelParameter write() {
        return accessed(Mode.WRITE);
    }

    /** Returns the same parameter for data that the kernel reads and writes. Refuses and throws like {@link #read}. */
    public KernelParameter update() {
        return accessed(Mode.UPDATE);
    }

    /**
     * Returns the same parameter for data to which the kernel adds atomically. Refuses and throws like {@link #read}.
     */
    public KernelParameter add() {
        return accessed(Mode.ADD);
    }

    /**
     * Returns the same parameter for data that the kernel multiplies atomically. Refuses and throws like {@link #read}.
     */
    public KernelParameter mul() {
        return accessed(Mode.MUL);
    }

    private KernelParameter accessed(Mode by) {
        return new KernelParameter(name, kind, number, type, dimensions, like, by);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        if (number != null) {
            text.append(" (").append(number.getSimpleName()).append(')');
        } else if (kind == Kind.NUMBER) {
            text.append(" (number)");
        } else if (kind == Kind.DATA) {
            text.append(type == null ? " (data" : " (" + type.name().toLowerCase(Locale.ROOT));
            text.append(dimensions == 0 ? "" : ", " + dimensions + (dimensions == 1 ? " dimension" : " dimensions"));
            text.append(like == null ? "" : ", as large as " + like);
            text.append(mode == null ? "" : ", by " + mode).append(')');
        }
        return text.toString();
    }
}
