package dev.jacquard.flow.runtime;

import dev.jacquard.base.machine.Target;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Termination;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task as the runtime sees it: untyped, with consumers by number.
 *
 * @param name unique in the run
 * @param bodies one per copy; empty for a bookkeeper
 * @param rules a bookkeeper's rules, in order; empty for a task
 * @param outlets per outlet (one of a task, one per rule of a bookkeeper), the consumers: indices of stages, or
 *     {@link RunPlan#OUTPUT}
 * @param needs what each item needs, by the index of the pool
 * @param pools which pool stands for which edge, in the graph that this task was declared in
 * @param options how it runs
 */
public record StagePlan(
        String name,
        List<Body<Object, Object>> bodies,
        List<Rule<Object, Object>> rules,
        List<int[]> outlets,
        Map<Integer, Integer> needs,
        Map<MemoryEdge<?>, Integer> pools,
        Options options) {
    /**
     * How a task runs.
     *
     * @param start whether it begins by itself
     * @param dedicated whether each copy has a thread of its own
     * @param oneByOne whether each copy takes one item at a time, however cheap they are
     * @param pollNanos how long a dedicated copy sleeps before its body's idle phase; 0: until there is an item
     * @param order which item first; null: the oldest
     * @param termination when copies on a cycle are done; null: when the input is closed
     * @param endsCycle whether the body's own {@code canTerminate} is such a condition
     * @param releases pools that the task says it releases into, for drawings
     * @param submitting what its bodies submit to the engine
     */
    public record Options(
            boolean start,
            boolean dedicated,
            boolean oneByOne,
            long pollNanos,
            @Nullable Comparator<Object> order,
            @Nullable Termination termination,
            boolean endsCycle,
            List<Integer> releases,
            Submitting submitting) {}

    /**
     * What a task submits to the engine.
     *
     * @param devices names and kinds of devices that its copies are bound to, round robin; none for no device
     * @param first the number of the stage's first copy in that
     * @param inFlight how many items of each copy may wait for engine tasks
     */
    public record Submitting(List<Target> devices, int first, int inFlight) {
        /** Nothing. */
        public static final Submitting NONE = new Submitting(List.of(), 0, 1);
    }

    /** Whether it is a bookkeeper. */
    public boolean bookkeeper() {
        return !rules.isEmpty();
    }

    /** How many copies it has. */
    public int copies() {
        return bookkeeper() ? 1 : bodies.size();
    }
}
