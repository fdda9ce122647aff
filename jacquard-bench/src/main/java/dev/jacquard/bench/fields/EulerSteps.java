package dev.jacquard.bench.fields;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.List;
import java.util.Map;

/**
 * Whole steps of the heat equation by Euler's method, with boundaries of two kinds and the search for values that are
 * not finite, compared with the right-hand side alone, as a separate graph on the same grid.
 */
final class EulerSteps extends Workload {
    private static final Tag<Cell> T = StepProblem.HEAT.unknowns().getFirst();
    private static final Tag<Cell> RATE = StepProblem.rate(T);

    /** The part of the cells along an axis that a quick run has. */
    private static final int QUICK = 16;
    /** The points of a round: some ten milliseconds. */
    private static final long POINTS = 1 << 24;
    /** The part of the stability limit: T stays between its start values and the walls. */
    private static final double SAFETY = 0.4;

    private final int cells;

    EulerSteps(String name, int cells) {
        super(name, "ns/point", new Rounds(0, 1), new Rounds(6, 21));
        this.cells = cells;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        Grid grid = Recipes.heat(plan.quick() ? cells / QUICK : cells).grid();
        return List.of(new WholeSteps(grid, plan), new RightHandSides(grid, plan));
    }

    /** A session with the fields. Confined to the contenders' thread. */
    private abstract static class Fields extends Contender {
        final Grid grid;
        final Session session = Session.builder().workers(1).open();
        final FieldStore fields;
        final ExpressionTree tree;
        private final Clock clock;
        private final int times;
        private final double bound;

        Fields(String system, Grid grid, Plan plan) {
            super(system, 1);
            this.grid = grid;
            this.clock = plan.clock();
            this.times = plan.quick() ? 1 : (int) Math.max(1, POINTS / points());
            fields = FieldStore.open(session, grid);
            fields.set(T, (x, y, z) -> 1 + Inputs.value(0, grid, x, y, z));
            fields.set(StepProblem.K, (x, y, z) -> 1 + Inputs.value(1, grid, x, y, z));
            bound = fields.max(T);
            tree = StepProblem.HEAT.model(grid).tree(RATE);
        }

        private long points() {
            return grid.interior(T.centring(0)).points();
        }

        abstract void runOnce();

        @Override
        public final Map<String, Double> round() {
            long start = clock.nanoTime();
            for (int i = 0; i < times; i++) {
                runOnce();
            }
            long nanos = clock.nanoTime() - start;
            verify(fields.max(T) <= bound && fields.min(T) >= 0, "the range of T");
            return Map.of(MAIN, nanos / ((double) times * points()));
        }

        @Override
        public final void close() {
            fields.close();
            session.close();
        }
    }

    private static final class WholeSteps extends Fields {
        private final Integrator steps;
        private final double length;

        WholeSteps(Grid grid, Plan plan) {
            super("jacquard", grid, plan);
            Ssp.Of method = Ssp.order(1).advance(T, RATE).of(tree);
            for (Side side : Side.values()) {
                boolean isAlongX = side == Side.X_LOW || side == Side.X_HIGH;
                method = method.boundary(T, side, isAlongX ? Condition.dirichlet(1) : Condition.neumann(0));
            }
            steps = method.compile(fields);
            length = SAFETY * steps.stableStep();
        }

        @Override
        void runOnce() {
            steps.step(length);
        }
    }

    private static final class RightHandSides extends Fields {
        private final CompiledGraph rate;

        RightHandSides(Grid grid, Plan plan) {
            super("jacquard-rate", grid, plan);
            rate = tree.compile(fields);
        }

        @Override
        void runOnce() {
            rate.run();
        }
    }
}
