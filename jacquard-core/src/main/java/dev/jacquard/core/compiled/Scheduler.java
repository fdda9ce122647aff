package dev.jacquard.core.compiled;

import dev.jacquard.base.service.Services;
import dev.jacquard.base.text.NearestName;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;

/**
 * A way to order the tasks of compiled graphs, each graph by itself, whatever the policy of the session is. A graph
 * asks for a schedule when it is frozen, and runs by that from then on; a graph that is recorded again asks again. The
 * results of tasks do not depend on it: a task waits for its predecessors under each scheduler.
 *
 * <p>{@link #of} takes any scheduling policy. {@link dev.jacquard.engine.schedule.PolicyGuard} calls schedules and
 * finds breaches of their contract, as it does for policies.
 *
 * <p>Threads: may be used by several graphs, and asked by several threads at a time.
 *
 * <p>Source: the expressions thesis, sections 3.1.6 to 3.1.9, and the contract of its appendix, A.1: the graph is set,
 * and the schedule set up ({@link #schedule}), run ({@link Dynamic#begin}), notified of finished tasks
 * ({@link Dynamic#finished}) and finished ({@link Dynamic#end}); the scheduler has an identity ({@link #name}); a
 * schedule is invalid when its graph is recorded again.
 */
public interface Scheduler {
    /**
     * The scheduler of the policy {@code priority}: the task that holds up most is next, by depth, consumers, and times
     * once known.
     */
    Scheduler PRIORITY = new Scheduler() {
        @Override
        public String name() {
            return "priority";
        }

        @Override
        public Schedule schedule(GraphSnapshot graph) {
            return of(Policies.named(name())).schedule(graph);
        }
    };

    /**
     * The scheduler {@code topological}: one task after the other in the order of their numbers, with all workers for
     * the loops of each. Costs the least for each task, so it is for tasks that take less than some microseconds.
     */
    Scheduler TOPOLOGICAL = new Scheduler() {
        @Override
        public String name() {
            return "topological";
        }

        @Override
        public Schedule schedule(GraphSnapshot graph) {
            return new Fixed(IntStream.range(0, graph.tasks().size()).boxed().toList());
        }
    };

    /** Returns the name for reports and messages: lower-case words with hyphens. */
    String name();

    /**
     * Makes the schedule of a graph, which is for that graph alone.
     *
     * @param graph its tasks, with their numbers as ids; a graph inside of it is one task
     */
    Schedule schedule(GraphSnapshot graph);

    /**
     * Makes the schedule of a graph for a number of workers; by default one that does not depend on it.
     *
     * @param graph like that of {@link #schedule(GraphSnapshot)}
     * @param workers the workers of the session, which may run tasks of the graph at the same time
     */
    default Schedule schedule(GraphSnapshot graph, int workers) {
        return schedule(graph);
    }

    /**
     * Returns the scheduler of a policy, with its name. Where the policy {@linkplain Policy#graphPlacement places
     * graphs}, the ready task that its plan starts first is next: by equal times in the first runs, then by measured
     * ones. Else its order says which is next, one order for all workers. A schedule is refused if the policy has
     * neither.
     */
    static Scheduler of(Policy policy) {
        return new PolicyScheduler(policy);
    }

    /** Returns the built-in schedulers, then the schedulers that jars offer as services. */
    static List<Scheduler> all() {
        List<Scheduler> all = new ArrayList<>(List.of(PRIORITY, TOPOLOGICAL));
        all.addAll(Services.all(Scheduler.class, loader -> ServiceLoader.load(Scheduler.class, loader)));
        return all;
    }

    /**
     * Returns the scheduler of that name among {@link #all}.
     *
     * @throws IllegalArgumentException when there is none; the message lists all names
     */
    static Scheduler named(String name) {
        List<Scheduler> all = all();
        return all.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow(() -> {
            List<String> names = all.stream().map(Scheduler::name).toList();
            return new IllegalArgumentException("there is no scheduler \"" + name + "\", but "
                    + String.join(", ", names) + NearestName.hint(name, names));
        });
    }

    /** A schedule of one graph: made before the graph runs, or as it runs. */
    sealed interface Schedule permits Fixed, Dynamic {}

    /**
     * A schedule that is made before the graph runs: one task after the other. Running a task costs no counting.
     *
     * @param tasks the numbers of all tasks, each after its predecessors
     */
    record Fixed(List<Integer> tasks) implements Schedule {
        public Fixed {
            tasks = List.copyOf(tasks);
        }
    }

    /**
     * A schedule that is made as the graph runs: it holds the ready tasks, and says which is next. Unlike the order of
     * a session's policy it is asked for a task only when it has one, and must return one. The {@code id} of a task is
     * its number. Otherwise the contract of {@link ReadyOrder} holds.
     *
     * <p>Threads: workers call it, one call at a time. No call may block, nor run or submit anything. A breach ends the
     * run, and each later one, with a {@link dev.jacquard.engine.schedule.PolicyException} that names the scheduler.
     */
    non-sealed interface Dynamic extends Schedule, ReadyOrder {
        /** A run begins: no task is ready yet. */
        default void begin() {}

        /** The task has run, and ended well; its successors become ready afterwards. */
        default void finished(ReadyTask task) {}

        /** The run is over: no task is ready, however they ended. */
        default void end() {}

        /**
         * Returns true if tasks are to be timed, at two looks at the clock for each, so that {@code expectedNanos} is a
         * moving average from the second run on. Constant.
         */
        default boolean needsTimes() {
            return false;
        }
    }
}
