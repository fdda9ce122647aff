package dev.jacquard.flow.dry;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An item in a dry run, with the work that led to it.
 *
 * @param item the user's item
 * @param before the work that emitted it; null for an item from outside
 */
record Travelling(Object item, @Nullable Worked before) {
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
