package dev.jacquard.flow.report;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records of this package and their components, as {@link Json} writes them. Fields that no component has are ignored.
 */
final class JsonRecords {
    private JsonRecords() {}

    static @Nullable Object component(Record of, RecordComponent component) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("component " + component + " of a record cannot be read", e);
        }
    }

    /**
     * Returns the record in {@code value}.
     *
     * @param where the place of the value in the document, for messages
     * @throws IllegalArgumentException if a component is missing or has another type
     */
    static <R extends Record> R record(Class<R> type, @Nullable Object value, String where) {
        if (!(value instanceof Map<?, ?> fields)) {
            throw wrong(where, "an object", value);
        }
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] arguments = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            if (!fields.containsKey(name)) {
                throw new IllegalArgumentException(where + " has no field \"" + name + '"');
            }
            arguments[i] = value(components[i].getGenericType(), fields.get(name), name + " of " + where);
        }
        try {
            return type.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(where + ": " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("record " + type + " cannot be made", e);
        }
    }

    private static @Nullable Object value(Type type, @Nullable Object value, String where) {
        if (type instanceof ParameterizedType list) {
            if (!(value instanceof List<?> elements)) {
                throw wrong(where, "an array", value);
            }
            List<Object> all = new ArrayList<>();
            for (Object element : elements) {
                Object one = value(list.getActualTypeArguments()[0], element, "element " + all.size() + " of " + where);
                if (one == null) {
                    throw wrong(where, "an element", null);
                }
                all.add(one);
            }
            return List.copyOf(all);
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            return value == null && plain == FlowProfile.Bottleneck.class
                    ? null
                    : record(plain.asSubclass(Record.class), value, where);
        }
        return scalar(plain, value, where);
    }

    private static Object scalar(Class<?> type, @Nullable Object value, String where) {
        if (type == long.class && value instanceof Long) {
            return value;
        }
        if (type == int.class && value instanceof Long number && number == (int) (long) number) {
            return (int) (long) number;
        }
        if (type == double.class && value instanceof Number number) {
            return number.doubleValue();
        }
        if ((type == boolean.class && value instanceof Boolean) || (type == String.class && value instanceof String)) {
            return value;
        }
        if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(value)) {
                    return constant;
                }
            }
            throw wrong(where, "one of " + Arrays.toString(type.getEnumConstants()), value);
        }
        throw wrong(where, "a value of type " + type.getSimpleName(), value);
    }

    private static IllegalArgumentException wrong(String where, String expected, @Nullable Object actual) {
        String text = String.valueOf(actual);
        return new IllegalArgumentException(where + " is " + (text.length() > 40 ? text.substring(0, 40) + "..." : text)
                + ", expected " + expected);
    }
}
