package dev.jacquard.bench.fields;

import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import java.util.List;
import java.util.Map;

/**
 * The first steps of two coupled fields on a small grid, with loops that are made for each round and that the JVM has
 * to compile: the time from the model to the end of the last step, for each form of loops.
 */
final class FirstSteps extends Workload {
    private static final Tag<Cell> U = Tag.cell("u");
    private static final Tag<Cell> V = Tag.cell("v");
    private static final Tag<Cell> BOTH = Tag.cell("u v v");
    private static final Tag<Faces> FLUX = Tag.faces("flux");
    private static final Tag<Cell> U_RATE = Tag.cell("rate of u");
    private static final Tag<Cell> V_RATE = Tag.cell("rate of v");
    private static final int STEPS = 100;
    private static final double STEP = 1e-3;
    private static final double NANOS_PER_MILLI = 1e6;

    private final int cells;

    FirstSteps(String name, int cells) {
        super(name, "ms", new Rounds(0, 1), new Rounds(4, 15));
        this.cells = cells;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        Contender auto = new Run("jacquard", Loops.Form.AUTO, cells, plan);
        Contender plain = new Run("jacquard-plain", Loops.Form.PLAIN, cells, plan);
        return Loops.hasLanes()
                ? List.of(auto, plain, new Run("jacquard-lanes", Loops.Form.LANES, cells, plan))
                : List.of(auto, plain);
    }

    /** Confined to the contenders' thread. */
    private static final class Run extends Contender {
        private final Loops.Form form;
        private final Grid grid;
        private final int steps;
        private final Clock clock;
        private double sum = Double.NaN;

        Run(String system, Loops.Form form, int cells, Plan plan) {
            super(system, 1);
            this.form = form;
            this.grid = Grid.of(cells, cells, cells).lengths(1, 1, 1).ghosts(1);
            this.steps = plan.quick() ? 2 : STEPS;
            this.clock = plan.clock();
        }

        @Override
        public Map<String, Double> round() {
            long start = clock.nanoTime();
            try (Session session = Session.builder().workers(1).open();
                    FieldStore fields = FieldStore.open(session, grid)) {
                fields.set(U, (x, y, z) -> 1 - 0.5 * Math.exp(-30 * (x - 0.5) * (x - 0.5)));
                fields.set(V, (x, y, z) -> 0.25 * Math.exp(-20 * ((x - 0.5) * (x - 0.5) + (y - 0.4) * (y - 0.4))));
                integrator(fields).run(steps, STEP);
                long nanos = clock.nanoTime() - start;
                double its = fields.sum(U);
                verify(Double.isNaN(sum) || its == sum, "the sum of a field, which was another one before");
                sum = its;
                return Map.of(MAIN, nanos / NANOS_PER_MILLI);
            }
        }

        private Integrator integrator(FieldStore fields) {
            Model model = Model.of(grid)
                    .source(U, V)
                    .define(BOTH, U.times(V).times(V))
                    .define(FLUX, faces(exp(U.negate())).times(grad(V)))
                    .define(
                            U_RATE,
                            laplacian(U)
                                    .times(1e-3)
                                    .minus(BOTH)
                                    .plus(U.negate().plus(1).times(0.04)))
                    .define(V_RATE, div(FLUX).times(2e-3).plus(BOTH).minus(V.times(0.1)));
            Ssp.Of steps = Ssp.order(3)
                    .advance(U, U_RATE)
                    .advance(V, V_RATE)
                    .of(model.tree(U_RATE, V_RATE).loops(form));
            for (Side side : Side.values()) {
                steps = steps.boundary(U, side, neumann(0)).boundary(V, side, neumann(0));
            }
            return steps.compile(fields);
        }

        @Override
        public void close() {
            // each round has closed its own
        }
    }
}
