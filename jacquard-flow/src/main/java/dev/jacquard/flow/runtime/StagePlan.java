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
 * @param bodies one body per copy; empty for a bookkeeper
 * @param rules a bookkeeper's rules, in order; empty for a task
 * @param outlets per outlet (one of a task, one per rule of a bookkeeper), the consumers: indices of stages, or
 *     {@link RunPlan#OUTPUT}
 * @param needs the number of buffers that each item needs, by the index of the pool
 * @param pools the index of the pool of each memory edge of the graph that this task was declared in
 * @param options the task's options
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
     * The options of a task.
     *
     * @param start whether the task begins without a producer
     * @param dedicated whether each copy has a thread of its own
     * @param oneByOne whether each copy takes one item at a time, however cheap they are
     * @param pollNanos the time that a copy sleeps before its body's idle phase; 0: until there is an item
     * @param order the order in which items are served; null: the oldest first
     * @param termination the condition under which copies on a cycle are done; null: when the input is closed
     * @param endsCycle whether the body's own {@code canTerminate} is such a condition
     * @param releases the pools that the task declares to release into, for drawings
     * @param submitting the options of tasks that its bodies submit to the engine
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
     * The options of tasks that a flow task submits to the engine.
     *
     * @param devices names and kinds of devices that the copies are bound to, round robin; empty for no device
     * @param first the position among the devices at which the stage's first copy begins
     * @param inFlight the number of items of each copy that may wait for engine tasks
     */
    public record Submitting(List<Target> devices, int first, int inFlight) {
        /** The options of a task without devices that submits nothing. */
        public static final Submitting NONE = new Submitting(List.of(), 0, 1);
    }

    /** Returns true if the task is a bookkeeper. */
    public boolean bookkeeper() {
        return !rules.isEmpty();
    }

    /** Returns the number of copies. */
    public int copies() {
        return bookkeeper() ? 1 : bodies.size();
    }
}
