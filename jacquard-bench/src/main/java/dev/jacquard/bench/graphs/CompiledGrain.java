package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Contender;
import dev.jacquard.bench.workload.NamedContender;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload.Rounds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Tasks of one shape with bodies of 0.2, 0.5 and 1 µs, run again and again: where a second worker begins to help. */
final class CompiledGrain extends ShapeWorkload {
    private static final int TASKS = 1 << 13;
    private static final int QUICK_TASKS = 1 << 8;
    private static final List<Body> BODIES =
            List.of(new Body(Contender.MAIN, 200), new Body(".500ns", 500), new Body(".1us", 1_000));

    /** A length of bodies, and the end of its figure's name. */
    private record Body(String figure, int nanos) {}

    /**
     * A workload.
     *
     * @param shapes makes a shape of a number of tasks
     */
    public CompiledGrain(String name, IntFunction<Shape> shapes) {
        super(name, shapes, TASKS, QUICK_TASKS, new Rounds(8, 21));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        Shape shape = shape(plan);
        double stepNanos = SpinBoard.stepNanos(plan.clock());
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            contenders.add(new Grains("jacquard", workers, shape, stepNanos, plan.clock(), JacquardGraph::new));
            contenders.add(new Grains("forkjoin", workers, shape, stepNanos, plan.clock(), ForkJoinGraph::new));
        }
        contenders.add(new Grains("sequential", 1, shape, stepNanos, plan.clock(), SequentialTasks::new));
        return contenders;
    }

    /** A system with its graph, which runs once with each length of the bodies in a round. */
    private static final class Grains extends NamedContender {
        private final Shape shape;
        private final double stepNanos;
        private final SpinBoard board;
        private final Clock clock;
        private final Runner runner;

        Grains(String system, int workers, Shape shape, double stepNanos, Clock clock, Runner.Maker maker) {
            super(system, workers);
            this.shape = shape;
            this.stepNanos = stepNanos;
            this.board = new SpinBoard(shape);
            this.clock = clock;
            this.runner = maker.make(workers, shape, board);
        }

        @Override
        public Map<String, Double> round() throws Exception {
            Map<String, Double> figures = new LinkedHashMap<>();
            for (Body body : BODIES) {
                board.clear((int) Math.round(body.nanos() / stepNanos));
                long start = clock.nanoTime();
                runner.run();
                long nanos = clock.nanoTime() - start;
                verify(board.isRight(), "a cell");
                figures.put(body.figure(), nanos / (double) shape.tasks());
            }
            return figures;
        }

        @Override
        public void close() {
            runner.close();
        }
    }
}
