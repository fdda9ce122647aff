package dev.jacquard.flow.runtime;

import dev.jacquard.flow.pipeline.Siblings;
import dev.jacquard.flow.runtime.RunPlan.PipelinePlan;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outlets of one copy of a task through which it sends to its siblings, the copies of its graph in a pipeline.
 *
 * <p>Threads: immutable.
 */
final class SiblingOutlets {
    private final String task;
    private final int copies;
    private final Map<Siblings<?>, Integer> first;
    private final Outlet[] outlets;

    /**
     * Creates a choice among {@code outlets}.
     *
     * @param outlets all outlets of the task's copy; filled in later
     */
    SiblingOutlets(String task, PipelinePlan.Place place, Outlet[] outlets) {
        this.task = task;
        this.copies = place.copies();
        this.first = place.siblings();
        this.outlets = outlets;
    }

    /** Returns the number of copies that {@code edge} leads to. */
    int copies(@Nullable Siblings<?> edge) {
        firstOf(edge);
        return copies;
    }

    /**
     * Returns the outlet along {@code edge} to the copy with this number.
     *
     * @throws IllegalArgumentException if there is no such copy
     * @throws IllegalStateException if the task did not declare the edge
     */
    Outlet of(@Nullable Siblings<?> edge, int copy) {
        int from = firstOf(edge);
        if (copy < 0 || copy >= copies) {
            throw new IllegalArgumentException("task \"" + task + "\" sent an item to copy " + copy + " of its graph, "
                    + (copies == 1
                            ? "which has one: number 0"
                            : "which has " + copies + ": numbers 0 to " + (copies - 1)));
        }
        return outlets[from + copy];
    }

    private int firstOf(@Nullable Siblings<?> edge) {
        if (edge == null) {
            throw new NullPointerException("task \"" + task + "\" sends along null: give it an edge between siblings");
        }
        Integer found = first.get(edge);
        if (found == null) {
            throw new IllegalStateException("task \"" + task + "\" sent along \"" + edge.name()
                    + "\", which it did not declare: declare it with sends(edge)");
        }
        return found;
    }
}
