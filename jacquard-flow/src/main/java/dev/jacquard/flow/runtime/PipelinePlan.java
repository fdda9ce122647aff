package dev.jacquard.flow.runtime;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.pipeline.Siblings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline: the copies of a graph, whose stages and pools follow each other in the plan.
 *
 * @param name unique in the run
 * @param distributor the index of the stage that distributes items; -1 if no item comes to the pipeline
 * @param copies the copies, by their numbers
 */
public record PipelinePlan(String name, int distributor, List<Copy> copies) {
    /**
     * A copy of the graph. Nested graphs and pipelines are part of it.
     *
     * @param device the device that the copy is bound to; null if it is bound to none
     * @param stages the indices of its stages
     * @param pools the indices of its pools
     */
    public record Copy(@Nullable ExecutionTarget device, Range stages, Range pools) {}

    /** Indices from {@code from} to {@code end}, without {@code end}. */
    public record Range(int from, int end) {
        /** Returns true if {@code index} is one of them. */
        public boolean has(int index) {
            return index >= from && index < end;
        }
    }

    /**
     * The place of a stage in the pipelines around it.
     *
     * @param number the number of the copy of the innermost pipeline; 0 if there is none
     * @param copies the number of copies of the innermost pipeline; 1 if there is none
     * @param device the device that the copies of the stage are bound to, unless the task is bound to others; null if
     *     there is none
     * @param siblings the first outlet of each edge between siblings that the stage sends along; one outlet per copy of
     *     the pipeline follows
     * @param distribution decides which outlet gets an item, if the stage distributes the items of a pipeline; else
     *     null
     */
    public record Place(
            int number,
            int copies,
            @Nullable ExecutionTarget device,
            Map<Siblings<?>, Integer> siblings,
            @Nullable Distribution<Object> distribution) {
        /** The place of a stage that is in no pipeline. */
        public static final Place NONE = new Place(0, 1, null, Map.of(), null);
    }
}
