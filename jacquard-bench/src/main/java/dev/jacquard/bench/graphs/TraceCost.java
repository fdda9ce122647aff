package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The cost of a trace per task when it is taken, and when it is not: the latter compared with a core without the
 * questions for a trace.
 */
final class TraceCost extends Workload {
    private static final int TASKS = 1 << 16;
    private static final int QUICK_TASKS = 1 << 12;

    private static final int SPANS = 1 << 12;
    private static final int UNBOUNDED = 0;

    private final int window;

    private TraceCost(String name, int window) {
        super(name, "ns/task", new Rounds(0, 1), new Rounds(1, 41));
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

    /**
     * Jacquard on one worker, on a core that is loaded again for each round and warmed up within it: two copies of the
     * same classes differ by some percent in their compiled code, so only many copies tell a difference that is
     * smaller.
     */
    private static final class FreshCore extends Contender {
        private static final int WARM_UPS = 60;
        private static final int RUNS = 9;

        private final Shape shape;
        private final boolean quick;
        private final Clock clock;
        private final Shape.Maker maker;

        FreshCore(String system, Shape shape, boolean quick, Clock clock, Shape.Maker maker) {
            super(system, 1);
            this.shape = shape;
            this.quick = quick;
            this.clock = clock;
            this.maker = maker;
        }

        @Override
        public Map<String, Double> round() throws Exception {
            ShapeContender copy = new ShapeContender(system(), 1, shape, new Board(shape, quick), clock, maker);
            try {
                for (int run = 0; run < (quick ? 0 : WARM_UPS); run++) {
                    copy.nanosPerTask();
                }
                double[] figures = new double[quick ? 1 : RUNS];
                for (int run = 0; run < figures.length; run++) {
                    figures[run] = copy.nanosPerTask();
                }
                Arrays.sort(figures);
                return Map.of(MAIN, figures[figures.length / 2]);
            } finally {
                copy.close();
            }
        }
    }
}
