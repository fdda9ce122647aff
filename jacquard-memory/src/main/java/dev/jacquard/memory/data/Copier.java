package dev.jacquard.memory.data;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the contents of an object and brings them back, so that a task which failed half-way can be tried again.
 *
 * @param <T> the type of the object
 */
public interface Copier<T> {
    /** Returns a separate object with the present contents of {@code original}. */
    T copy(T original);

    /** Makes {@code target}, which stays the same object, hold the contents of {@code kept}. */
    void restore(T kept, T target);

    /** The copier for {@code value} when it is an array of a primitive type; else null. */
    static <T> @Nullable Copier<T> of(T value) {
        Class<?> component = value == null ? null : value.getClass().getComponentType();
        return component == null || !component.isPrimitive()
                ? null
                : new Copier<>() {
                    @Override
                    @SuppressWarnings("unchecked") // an array of the original's type
                    public T copy(T original) {
                        Object copy = Array.newInstance(component, Array.getLength(original));
                        restore(original, (T) copy);
                        return (T) copy;
                    }

                    @Override
                    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of the same primitive type
                    public void restore(T kept, T target) {
                        System.arraycopy(kept, 0, target, 0, Array.getLength(kept));
                    }
                };
    }
}
