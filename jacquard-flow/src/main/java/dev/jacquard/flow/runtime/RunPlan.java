package dev.jacquard.flow.runtime;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.pipeline.Siblings;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.ErrorHandler;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.flow.task.WaitingItems;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A checked graph, ready to run: nested graphs are unfolded, and consumers are numbers.
 *
 * @param graph the graph's name
 * @param stages the tasks
 * @param inputs the stages that the graph's input feeds, {@link #OUTPUT} or {@link #NOWHERE}: with every item, then one
 *     list for each of {@code inputForks}
 * @param inputForks the edges that take some of the items from outside
 * @param pools the memory edges, under names that are unique in the run
 * @param edges the index of the pool of each memory edge of the outermost graph
 * @param cycles stages that feed each other in a circle, one list per circle
 * @param pipelines the pipelines, outer ones before the pipelines inside
 * @param inputBound the number of items that may wait at each stage that the input feeds; 0 for no bound
 * @param resultBound the number of results that may wait to be read before senders wait; 0 for no bound
 * @param proof returns the findings of the proof before the run, for the report of a run in which items wait for
 *     buffers, and nothing moves
 */
public record RunPlan(
        String graph,
        List<StagePlan> stages,
        List<int[]> inputs,
        List<Fork> inputForks,
        List<PoolPlan> pools,
        Map<MemoryEdge<?>, Integer> edges,
        List<List<Integer>> cycles,
        List<PipelinePlan> pipelines,
        int inputBound,
        int resultBound,
        Supplier<List<String>> proof) {
    /** The number of the graph's output among consumers. */
    public static final int OUTPUT = -1;
    /** The number among consumers that stands for the dropping of items. */
    public static final int NOWHERE = -2;

    /**
     * An outlet that gets some of the items of another outlet, or items that are made of these.
     *
     * @param of the number of the other outlet
     * @param to the number of the outlet, which has one consumer
     * @param ways return the item that goes on, or null; an item takes each way that returns one
     */
    public record Fork(int of, int to, List<Function<Object, @Nullable Object>> ways) {}

    /**
     * A memory edge. A memory edge, or a bounded edge between tasks: then the buffers are permits, its slots.
     *
     * @param name unique in the run
     * @param edge the edge's description
     * @param device the device of the pipeline's copy that the edge is part of; null if there is none
     * @param consumer the stage at which items wait that have a slot each; {@link #NO_STAGE} of a memory edge
     */
    public record PoolPlan(
            String name, MemoryEdge<?> edge, @Nullable ExecutionTarget device, int consumer) {
        /** Stands for no stage. */
        public static final int NO_STAGE = -1;

        /** A memory edge. */
        public PoolPlan(String name, MemoryEdge<?> edge, @Nullable ExecutionTarget device) {
            this(name, edge, device, NO_STAGE);
        }

        /** Returns true if the buffers are the slots of a bounded edge. */
        public boolean isBound() {
            return consumer != NO_STAGE;
        }
    }

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
         * @param device the device that the copies of the stage are bound to, unless the task is bound to others; null
         *     if there is none
         * @param siblings the first outlet of each edge between siblings that the stage sends along; one outlet per
         *     copy of the pipeline follows
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

    /**
     * A task as the runtime sees it: untyped, with consumers by number.
     *
     * @param name unique in the run
     * @param share the copies that are the stage's
     * @param bodies one body per copy; empty for a bookkeeper, and for the distributor of a pipeline
     * @param rules a bookkeeper's rules, in order; empty for a task
     * @param outlets per outlet (one of a task, one per rule of a bookkeeper, one per copy of a pipeline; then one per
     *     edge between siblings and copy; then one per fork), the consumers: indices of stages, {@link #OUTPUT} or
     *     {@link #NOWHERE}; without any, the outlet refuses items that no fork takes
     * @param forks the outlets that get some of the items of others
     * @param memory the memory edges that the task uses
     * @param options the task's options
     * @param place the stage's place in the pipelines around it
     */
    public record StagePlan(
            String name,
            Share share,
            List<Body<Object, Object>> bodies,
            List<Rule<Object, Object>> rules,
            List<int[]> outlets,
            List<Fork> forks,
            MemoryUse memory,
            Options options,
            PipelinePlan.Place place) {
        /** A task that has all of its copies, and is in no pipeline. */
        public StagePlan(
                String name,
                List<Body<Object, Object>> bodies,
                List<Rule<Object, Object>> rules,
                List<int[]> outlets,
                MemoryUse memory,
                Options options) {
            this(
                    name,
                    new Share(name, 0, Math.max(1, bodies.size())),
                    bodies,
                    rules,
                    outlets,
                    List.of(),
                    memory,
                    options,
                    PipelinePlan.Place.NONE);
        }

        /**
         * The copies of a task that a stage has: all of them, or one of a start task, which has a stage per copy.
         *
         * @param task the name of the task
         * @param first the number of the stage's first copy
         * @param all the number of copies that the task has
         */
        public record Share(String task, int first, int all) {}

        /**
         * The memory edges that a task uses.
         *
         * @param needs the number of buffers that each item needs, by the index of the pool
         * @param bytes the bytes of these buffers together, by the index of the pool, where the pool counts bytes
         * @param releases the pools that the task declares to release into, for drawings
         * @param pools the index of the pool of each memory edge of the graph that the task was declared in
         * @param slots per outlet, for each consumer, the index of the pool of slots of the edge; {@link #NO_POOL} of
         *     an edge without bound. The edges of outlets that come after these have none
         */
        public record MemoryUse(
                Map<Integer, Integer> needs,
                Map<Integer, Long> bytes,
                List<Integer> releases,
                Map<MemoryEdge<?>, Integer> pools,
                List<int[]> slots) {
            /** Stands for no pool. */
            public static final int NO_POOL = -1;

            /** The use of edges that count no bytes, of a task without bounded edges. */
            public MemoryUse(Map<Integer, Integer> needs, List<Integer> releases, Map<MemoryEdge<?>, Integer> pools) {
                this(needs, Map.of(), releases, pools, List.of());
            }

            /** Returns the use of the same edges by a stage whose outlets have these {@code slots}. */
            public MemoryUse withSlots(List<int[]> of) {
                return new MemoryUse(needs, bytes, releases, pools, of);
            }

            /** Returns the index of the pool of slots of an edge; {@link #NO_POOL} if it has no bound. */
            int slotsOf(int outlet, int consumer) {
                return outlet < slots.size() ? slots.get(outlet)[consumer] : NO_POOL;
            }

            /** Returns the number of bytes that each item needs of a pool; 0 where the pool counts none. */
            long bytesOf(int pool) {
                return bytes.getOrDefault(pool, 0L);
            }
        }

        /** A property that a task has or has not. */
        public enum Trait {
            /** The task begins without a producer. */
            START,
            /** Each copy has its own thread. */
            DEDICATED,
            /** Each copy takes one item at a time, however cheap the items are. */
            ONE_BY_ONE,
            /** The copies pass on results in the order of the items. */
            ORDERED,
            /** The body's own {@code canTerminate} ends the copies on a cycle. */
            ENDS_CYCLE
        }

        /**
         * The options of a task.
         *
         * @param traits the properties that the task has
         * @param pollNanos the time that a copy sleeps before its body's idle phase; 0: until there is an item
         * @param order the order in which items are served; null: the oldest first
         * @param queue the user's queue of the items that wait, of this run; null if there is none
         * @param termination the condition under which copies on a cycle are done; null: when the input is closed
         * @param onError is notified of items that fail, which are dropped; null: an item that fails fails the run
         * @param submitting the options of tasks that its bodies submit to the engine
         */
        public record Options(
                Set<Trait> traits,
                long pollNanos,
                @Nullable Comparator<Object> order,
                @Nullable WaitingItems<Object> queue,
                @Nullable Termination termination,
                @Nullable ErrorHandler<Object, Object> onError,
                Submitting submitting) {
            /** The options of a task that states none. */
            public static final Options DEFAULT =
                    new Options(Set.of(), 0, null, null, null, null, new Submitting(List.of(), 1));

            /** Returns true if the task has {@code trait}. */
            public boolean is(Trait trait) {
                return traits.contains(trait);
            }

            /** Returns these options with the user's queue of a run. */
            public Options with(@Nullable WaitingItems<Object> its) {
                return new Options(traits, pollNanos, order, its, termination, onError, submitting);
            }

            /** Returns these options with {@code trait}. */
            public Options with(Trait trait) {
                Set<Trait> all = EnumSet.of(trait);
                all.addAll(traits);
                return new Options(all, pollNanos, order, queue, termination, onError, submitting);
            }
        }

        /**
         * The options of tasks that a flow task submits to the engine.
         *
         * @param devices names and kinds of devices that the copies are bound to, round robin; empty for no device
         * @param inFlight the number of items of each copy that may wait for engine tasks
         * @param sizes the sizes of items, if items are routed to the copies by measured time; null: any copy takes any
         *     item
         */
        public record Submitting(
                List<ExecutionTarget> devices,
                int inFlight,
                @Nullable ToLongFunction<Object> sizes) {
            /** The options of a task whose items are not routed. */
            public Submitting(List<ExecutionTarget> devices, int inFlight) {
                this(devices, inFlight, null);
            }
        }

        /** Returns true if the task is a bookkeeper. */
        public boolean bookkeeper() {
            return !rules.isEmpty();
        }

        /** Returns the consumers of all {@code outlets}. */
        public static int[] consumers(List<int[]> outlets) {
            int count = 0;
            for (int[] outlet : outlets) {
                count += outlet.length;
            }
            int[] all = new int[count];
            int at = 0;
            for (int[] outlet : outlets) {
                System.arraycopy(outlet, 0, all, at, outlet.length);
                at += outlet.length;
            }
            return all;
        }

        /** Returns the number of copies. */
        public int copies() {
            return bookkeeper() || place.distribution() != null ? 1 : bodies.size();
        }
    }
}
