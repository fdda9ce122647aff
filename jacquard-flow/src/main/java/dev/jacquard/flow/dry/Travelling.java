package dev.jacquard.flow.dry;

import dev.jacquard.flow.runtime.RunPlan.Fork;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An item in a dry run, with the work that led to it.
 *
 * @param item the user's item
 * @param before the work that emitted it; null for an item from outside
 */
record Travelling(Object item, @Nullable Worked before) {
    /** Returns {@code forks} for travelling items. */
    static List<Fork> along(List<Fork> forks) {
        return forks.stream()
                .map(fork -> new Fork(
                        fork.of(),
                        fork.to(),
                        fork.ways().stream().map(Travelling::along).toList()))
                .toList();
    }

    private static Function<Object, @Nullable Object> along(Function<Object, @Nullable Object> way) {
        return queued -> {
            Travelling its = (Travelling) queued;
            Object made = way.apply(its.item);
            return made == null ? null : new Travelling(made, its.before);
        };
    }

    /**
     * One execution.
     *
     * @param part the task
     * @param endNanos its end
     * @param before the work that led to its item; null if that comes from outside
     */
    record Worked(String part, long endNanos, @Nullable Worked before) {
        /** Returns the names of the parts from the first on. */
        List<String> path() {
            List<String> names = new ArrayList<>();
            for (Worked at = this; at != null; at = at.before) {
                names.add(at.part);
            }
            Collections.reverse(names);
            return names;
        }
    }
}
