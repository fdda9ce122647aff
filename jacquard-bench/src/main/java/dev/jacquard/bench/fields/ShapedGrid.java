package dev.jacquard.bench.fields;

import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Functions.log;
import static dev.jacquard.expressions.language.Functions.sin;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import java.util.List;
import java.util.Map;

/**
 * One expression that is bound by arithmetic, on a grid of any shape, by two workers and by one: the ratio of the two
 * is the speed-up.
 */
final class ShapedGrid extends Workload {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> RESULT = Tag.cell("result");
    private static final int WORKERS = 2;
    /** Runs of a round: some hundred milliseconds. */
    private static final int TIMES = 10;
    /** The part of the cells along the longest axis that a quick run has. */
    private static final int QUICK = 16;

    private final int x;
    private final int y;
    private final int dimensions;

    /** For a grid of {@code x} and {@code y} cells along the first axes, and 1 along the third if there is one. */
    ShapedGrid(String name, int dimensions, int x, int y) {
        super(name, "ns/point", new Rounds(0, 1), new Rounds(6, 21));
        this.x = x;
        this.y = y;
        this.dimensions = dimensions;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int cells = plan.quick() ? x / QUICK : x;
        Grid grid = dimensions == 1 ? Grid.of(cells) : dimensions == 2 ? Grid.of(cells, y) : Grid.of(cells, y, 1);
        return List.of(
                new Runs("jacquard", WORKERS, grid, (long) cells * y, plan),
                new Runs("jacquard-alone", 1, grid, (long) cells * y, plan));
    }

    /** Confined to the contenders' thread. */
    private static final class Runs extends Contender {
        private final Session session;
        private final FieldStore fields;
        private final CompiledGraph graph;
        private final Clock clock;
        private final long points;
        private final int times;

        Runs(String system, int workers, Grid grid, long points, Plan plan) {
            super(system, workers);
            this.clock = plan.clock();
            this.points = points;
            this.times = plan.quick() ? 1 : TIMES;
            session = Session.builder().workers(workers).open();
            fields = FieldStore.open(session, grid);
            fields.set(T, (px, py, pz) -> (px + 7 * py) % 1);
            graph = Model.of(grid)
                    .source(T)
                    .define(RESULT, sin(T).plus(exp(T)).plus(log(T.plus(2))))
                    .tree(RESULT)
                    .compile(fields);
        }

        @Override
        public Map<String, Double> round() {
            long start = clock.nanoTime();
            for (int i = 0; i < times; i++) {
                graph.run();
            }
            long nanos = clock.nanoTime() - start;
            double low = fields.min(T);
            double high = fields.max(T);
            verify(
                    fields.min(RESULT) >= result(low) - 1e-12 && fields.max(RESULT) <= result(high) + 1e-12,
                    "the range of the result");
            return Map.of(MAIN, nanos / ((double) times * points));
        }

        /** Grows with its argument between 0 and 1. */
        private static double result(double t) {
            return Math.sin(t) + Math.exp(t) + Math.log(t + 2);
        }

        @Override
        public void close() {
            fields.close();
            session.close();
        }
    }
}
