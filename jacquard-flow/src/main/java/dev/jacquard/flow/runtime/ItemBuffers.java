package dev.jacquard.flow.runtime;

import dev.jacquard.memory.data.Handle;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handles that an item holds: the item itself, or parts of records, arrays, collections, maps and optional
 * values, as deep as {@value #DEEPEST} of them. Records of modules that are not open to this one are not searched.
 *
 * <p>Threads: confined to the caller.
 */
final class ItemBuffers {
    private static final int DEEPEST = 8;

    private final Set<Handle<?>> found = Collections.newSetFromMap(new IdentityHashMap<>());

    private ItemBuffers() {}

    /** Returns the handles that {@code item} holds, each once. */
    static Set<Handle<?>> of(Object item) throws ReflectiveOperationException {
        ItemBuffers search = new ItemBuffers();
        search.visit(item, DEEPEST);
        return search.found;
    }

    private void visit(@Nullable Object part, int depth) throws ReflectiveOperationException {
        if (part instanceof Handle<?> handle) {
            found.add(handle);
        } else if (part != null && depth > 0) {
            switch (part) {
                case Record parts -> visitRecord(parts, depth - 1);
                case Object[] parts -> visitAll(parts, depth - 1);
                case Collection<?> parts -> visitAll(parts.toArray(), depth - 1);
                case Map<?, ?> parts -> {
                    visitAll(parts.keySet().toArray(), depth - 1);
                    visitAll(parts.values().toArray(), depth - 1);
                }
                case Optional<?> value -> visit(value.orElse(null), depth - 1);
                default -> {} // only the user knows its parts
            }
        }
    }

    private void visitAll(@Nullable Object[] parts, int depth) throws ReflectiveOperationException {
        for (Object part : parts) {
            visit(part, depth);
        }
    }

    private void visitRecord(Record item, int depth) throws ReflectiveOperationException {
        for (RecordComponent component : item.getClass().getRecordComponents()) {
            if (!component.getType().isPrimitive() && component.getAccessor().trySetAccessible()) {
                visit(component.getAccessor().invoke(item), depth);
            }
        }
    }
}
