package dev.jacquard.core.graph;

import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.Parts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the resources that a task accesses by their names. For implementations of contexts. */
public final class Named {
    private Named() {}

    /**
     * Returns the accessed part of the data of that name.
     *
     * @throws IllegalArgumentException when there is none of that name, or several parts or data
     */
    public static View data(String task, AccessList accesses, String name) {
        Set<View> found = new LinkedHashSet<>();
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.resource(i) instanceof Data data && data.name().equals(name)) {
                found.add(new View(data, Parts.box(data, accesses.access(i))));
            }
        }
        return only(task, "data", name, found, accesses);
    }

    /**
     * Returns the value of the accessed handle of that name.
     *
     * @throws IllegalArgumentException when there is none of that name, or several, or its value is of another type
     */
    public static <T> T value(String task, AccessList accesses, String name, Class<T> type) {
        return value(task, handle(task, accesses, name), type);
    }

    /** Returns the accessed handle of that name. Throws when there is none, or several. */
    static Handle<?> handle(String task, AccessList accesses, String name) {
        Set<Handle<?>> found = new LinkedHashSet<>(); // handles have no equality but identity
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.resource(i) instanceof Handle<?> handle
                    && handle.name().equals(name)) {
                found.add(handle);
            }
        }
        return only(task, "handle", name, found, accesses);
    }

    /** Returns the value of {@code handle}. Throws when that is of another type. */
    static <T> T value(String task, Handle<?> handle, Class<T> type) {
        Object value = handle.granted();
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("task \"" + task + "\" asks for handle \"" + handle.name() + "\" as a "
                    + type.getTypeName() + ", and its value is "
                    + (value == null
                            ? "null: let an earlier task set it"
                            : "a " + value.getClass().getTypeName() + ": ask for that type"));
        }
        return type.cast(value);
    }

    private static <T> T only(String task, String kind, String name, Set<T> found, AccessList accesses) {
        if (found.size() == 1) {
            return found.iterator().next();
        }
        if (found.size() > 1) {
            throw new IllegalArgumentException("task \"" + task + "\" asks for " + kind + " \"" + name
                    + "\" by name, and accesses several of that name: " + found + "; ask for the one that is meant");
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < accesses.size(); i++) {
            Resource resource = accesses.resource(i);
            String text = (resource instanceof Data ? "data" : resource instanceof Handle ? "handle" : "resource")
                    + " \"" + resource.name() + '"';
            if (!names.contains(text)) {
                names.add(text);
            }
        }
        throw new IllegalArgumentException("task \"" + task + "\" asks for " + kind + " \"" + name
                + "\" by name, and accesses none of that name: "
                + (names.isEmpty() ? "it declared no access" : "it declared " + String.join(", ", names)));
    }
}
