package dev.jacquard.components.component;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The type of a socket's values with its arguments, so that a source of texts is no source of numbers for a sink that
 * takes lists. Immutable; equal if all of it is equal.
 *
 * @param <T> the values
 */
@SuppressWarnings("UnusedTypeParameter") // it ties sockets to the types of their values
public final class SocketType<T> {
    private static final int ANY = 0;

    private final Class<?> raw;
    private final List<SocketType<?>> arguments;
    /** Of data only; null for any. */
    private final @Nullable DataType elements;
    /** Of data only; ANY for any number. */
    private final int dimensions;

    private SocketType(Class<?> raw, List<SocketType<?>> arguments, @Nullable DataType elements, int dimensions) {
        this.raw = raw;
        this.arguments = arguments;
        this.elements = elements;
        this.dimensions = dimensions;
    }

    /**
     * The type of a class without arguments; that of the boxes for a primitive one.
     *
     * @throws IllegalArgumentException if the class has arguments
     */
    public static <T> SocketType<T> of(Class<T> type) {
        return of(type, new SocketType<?>[0]);
    }

    /**
     * The type of a class with arguments, such as {@code Optional<String>}.
     *
     * @param <T> that type
     * @throws IllegalArgumentException if the class has another number of arguments
     */
    public static <T> SocketType<T> of(Class<? super T> type, SocketType<?>... arguments) {
        int expected = type.getTypeParameters().length;
        if (type == Data.class) {
            throw new IllegalArgumentException("the type of data has elements and dimensions; expected data(...)");
        }
        if (arguments.length != expected) {
            throw new IllegalArgumentException(type.getName() + " has " + expected + " type arguments and not "
                    + arguments.length + "; expected a SocketType for each, as in listOf(of(Double.class))");
        }
        return new SocketType<>(MethodType.methodType(type).wrap().returnType(), List.of(arguments), null, ANY);
    }

    /** Lists of such values. */
    public static <E> SocketType<List<E>> listOf(SocketType<E> values) {
        return of(List.class, values);
    }

    /** Maps from and to such values. */
    public static <K, V> SocketType<Map<K, V>> mapOf(SocketType<K> keys, SocketType<V> values) {
        return of(Map.class, keys, values);
    }

    /** Data with such elements in any number of dimensions. */
    public static SocketType<Data> data(DataType elements) {
        return new SocketType<>(Data.class, List.of(), Objects.requireNonNull(elements, "elements"), ANY);
    }

    /**
     * Data with such elements in that number of dimensions.
     *
     * @throws IllegalArgumentException if that is less than 1
     */
    public static SocketType<Data> data(DataType elements, int dimensions) {
        if (dimensions < 1) {
            throw new IllegalArgumentException("data has " + dimensions + " dimensions; expected 1 or more");
        }
        return new SocketType<>(Data.class, List.of(), Objects.requireNonNull(elements, "elements"), dimensions);
    }

    /** Returns the class of the values, without arguments. */
    public Class<?> raw() {
        return raw;
    }

    /** Returns the types of the arguments; none of data. */
    public List<SocketType<?>> arguments() {
        return arguments;
    }

    /** Returns true if each value of this type is one that {@code sink} takes. */
    public boolean fits(SocketType<?> sink) {
        return sink.raw.isAssignableFrom(raw)
                && (sink.arguments.isEmpty() || sink.arguments.equals(arguments))
                && (sink.elements == null || sink.elements == elements)
                && (sink.dimensions == ANY || sink.dimensions == dimensions);
    }

    /** Returns true if {@code value} is of this type, as far as that can be seen without looking into it. */
    public boolean takes(Object value) {
        return raw.isInstance(value) && (elements == null || takesData((Data) value));
    }

    private boolean takesData(Data data) {
        return data.layout().type() == elements
                && (dimensions == ANY || dimensions == data.box().dimensions());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SocketType<?> type
                && raw == type.raw
                && arguments.equals(type.arguments)
                && elements == type.elements
                && dimensions == type.dimensions;
    }

    @Override
    public int hashCode() {
        return Objects.hash(raw, arguments, elements, dimensions);
    }

    /** Returns the type as users read it: {@code List<Double>}, {@code Data<double, 2>}. */
    @Override
    public String toString() {
        String name = raw.isArray() ? raw.getTypeName() : raw.getSimpleName();
        if (elements != null) {
            return name + "<" + elements.javaName() + (dimensions == ANY ? "" : ", " + dimensions) + ">";
        }
        return arguments.isEmpty()
                ? name
                : arguments.stream().map(Object::toString).collect(Collectors.joining(", ", name + "<", ">"));
    }
}
