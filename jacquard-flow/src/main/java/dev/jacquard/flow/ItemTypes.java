package dev.jacquard.flow;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Finds the types of items that no edge takes, as far as sealed types tell. */
final class ItemTypes {
    private ItemTypes() {}

    /** Returns the types among those that {@code type} permits that none of {@code passages} passes on. */
    static List<Class<?>> untaken(Class<?> type, List<Passage> passages) {
        List<Class<?>> untaken = new ArrayList<>();
        addLeaves(type, untaken);
        untaken.removeIf(leaf -> !passages.stream().allMatch(passage -> passage.refuses(leaf)));
        return untaken;
    }

    private static void addLeaves(Class<?> type, List<Class<?>> leaves) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        if (permitted == null || !Modifier.isAbstract(type.getModifiers())) {
            leaves.add(type);
        }
        if (permitted != null) {
            for (Class<?> sub : permitted) {
                addLeaves(sub, leaves);
            }
        }
    }

    /** Returns true if no object is of both types. */
    static boolean areApart(Class<?> one, Class<?> other) {
        if (one.isAssignableFrom(other) || other.isAssignableFrom(one)) {
            return false;
        }
        return isFinal(one) || isFinal(other) || (!one.isInterface() && !other.isInterface());
    }

    private static boolean isFinal(Class<?> type) {
        return Modifier.isFinal(type.getModifiers());
    }
}
