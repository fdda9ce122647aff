package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.util.List;

/**
 * The cost of a trace per task when it is taken, and when it is not: the latter beside a core without the questions for
 * a trace.
 */
final class TraceCost extends Workload {
    private static final int TASKS = 1 << 16;
    private static final int QUICK_TASKS = 1 << 12;

    private static final int SPANS = 1 << 12;
    private static final int UNBOUNDED = 0;

    private final int window;

    private TraceCost(String name, int window) {
        super(name, "ns/task", new Rounds(0, 3), new Rounds(1, 41));
        this.window = window;
    }

    /** A task runs as it is submitted: there are two boundaries to a task. */
    public static TraceCost asSubmitted() {
        return new TraceCost("trace.chain", JacquardTasks.WINDOW);
    }

    /** All tasks are submitted before the first runs: where one ends the next begins. */
    public static TraceCost inARow() {
        return new TraceCost("trace.chain.row", UNBOUNDED);
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        return List.of(
                contender("jacquard", plan, true, 0),
                contender("jacquard-without-trace", plan, false, 0),
                contender("jacquard-traced", plan, true, SPANS));
    }

    private Contender contender(String system, Plan plan, boolean asks, int spans) {
        Shape shape = Shape.updates(plan.quick() ? QUICK_TASKS : TASKS, 1);
        return new FreshCore(system, shape, plan.quick(), plan.clock(), Untraced.maker(asks, spans, window));
    }
}
