package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
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

    CompiledGrain(String name, IntFunction<Shape> shapes) {
        super(name, shapes, TASKS, QUICK_TASKS, new Rounds(8, 21));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        Shape shape = shape(plan);
        int[] steps = BODIES.stream()
                .mapToInt(body -> GrainBoard.steps(body.nanos, plan.clock()))
                .toArray();
        Clock clock = plan.clock();
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            contenders.add(
                    new Grains("jacquard", workers, shape, new GrainBoard(shape, 0), steps, clock, JacquardGraph::new));
            contenders.add(
                    new Grains("forkjoin", workers, shape, new GrainBoard(shape, 0), steps, clock, ForkJoinGraph::new));
        }
        contenders.add(
                new Grains("sequential", 1, shape, new GrainBoard(shape, 0), steps, clock, SequentialTasks::new));
        return contenders;
    }

    /** A system with its graph, which runs once with each length of the bodies in a round. */
    private static final class Grains extends ShapeContender {
        private final GrainBoard board;
        private final int[] steps;

        Grains(String system, int workers, Shape shape, GrainBoard board, int[] steps, Clock clock, Shape.Maker maker) {
            super(system, workers, shape, board, clock, maker);
            this.board = board;
            this.steps = steps;
        }

        @Override
        public Map<String, Double> round() throws Exception {
            Map<String, Double> figures = new LinkedHashMap<>();
            for (int body = 0; body < steps.length; body++) {
                board.prepare(steps[body]);
                figures.put(BODIES.get(body).figure, nanosPerTask());
            }
            return figures;
        }
    }
}
