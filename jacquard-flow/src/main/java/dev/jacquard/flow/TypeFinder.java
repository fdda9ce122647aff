package dev.jacquard.flow;

import java.lang.invoke.MethodType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the types of items: the types with which a class implements a generic interface, as far as its class file has
 * them, and the types that stand for primitive ones.
 */
final class TypeFinder {
    private TypeFinder() {}

    /**
     * Returns the class that {@code type} gives for type parameter {@code index} of {@code wanted}; null if the class
     * is unknown, as for a lambda or a type variable.
     */
    static @Nullable Class<?> argument(Class<?> type, Class<?> wanted, int index) {
        return find(type, Map.of(), wanted, index);
    }

    /**
     * Returns the class of the objects that stand for values of {@code type}: itself, unless it is primitive; null if
     * the user stated none.
     */
    static @Nullable Class<?> boxed(@Nullable Class<?> type) {
        return type == null ? null : MethodType.methodType(type).wrap().returnType();
    }

    private static @Nullable Class<?> find(
            Class<?> type, Map<TypeVariable<?>, Type> bound, Class<?> wanted, int index) {
        for (Type parent : type.getGenericInterfaces()) {
            Class<?> found = through(parent, bound, wanted, index);
            if (found != null) {
                return found;
            }
        }
        Type parent = type.getGenericSuperclass();
        return parent == null ? null : through(parent, bound, wanted, index);
    }

    private static @Nullable Class<?> through(
            Type parent, Map<TypeVariable<?>, Type> bound, Class<?> wanted, int index) {
        if (parent instanceof Class<?> plain) {
            return plain == wanted ? null : find(plain, Map.of(), wanted, index);
        }
        if (!(parent instanceof ParameterizedType generic) || !(generic.getRawType() instanceof Class<?> raw)) {
            return null;
        }
        Type[] arguments = generic.getActualTypeArguments();
        if (raw == wanted) {
            return erased(arguments[index], bound);
        }
        Map<TypeVariable<?>, Type> inner = new HashMap<>();
        TypeVariable<?>[] variables = raw.getTypeParameters();
        for (int i = 0; i < variables.length; i++) {
            Type argument = arguments[i];
            Type known = argument instanceof TypeVariable<?> variable ? bound.get(variable) : argument;
            if (known != null) {
                inner.put(variables[i], known);
            }
        }
        return find(raw, inner, wanted, index);
    }

    private static @Nullable Class<?> erased(Type type, Map<TypeVariable<?>, Type> bound) {
        Type known = type instanceof TypeVariable<?> variable ? bound.get(variable) : type;
        if (known instanceof Class<?> plain) {
            return plain;
        }
        if (known instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            return raw;
        }
        if (known instanceof GenericArrayType array) {
            Class<?> element = erased(array.getGenericComponentType(), bound);
            return element == null ? null : element.arrayType();
        }
        return null;
    }
}
