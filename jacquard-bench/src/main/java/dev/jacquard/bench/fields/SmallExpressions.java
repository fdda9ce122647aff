package dev.jacquard.bench.fields;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.expressions.codegen.Loops;
import java.util.List;
import java.util.Map;

/**
 * Many expressions on few cells, each of which reads the result of the one before: the cost of a task in addition to
 * its loop. Figures are nanoseconds per expression, of a step that is one run of a compiled graph.
 */
final class SmallExpressions extends Workload {
    /** Runs of a step in a round: some ten milliseconds. */
    private static final int STEPS = 2_000;

    private final int cells;
    private final int expressions;

    SmallExpressions(String name, int cells, int expressions) {
        super(name, "ns/expression", new Rounds(0, 1), new Rounds(6, 21));
        this.cells = cells;
        this.expressions = expressions;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        Recipe recipe = Recipes.chain(cells, expressions);
        JacquardFields fields = new JacquardFields(recipe, plan.clock());
        int steps = plan.quick() ? 2 : STEPS;
        return List.of(
                new Steps("jacquard", recipe, steps, fields, fields.compiled(Loops.Form.AUTO)),
                new Steps("jacquard-loops", recipe, steps, fields, fields.loops(Loops.Form.AUTO)),
                new Steps("jacquard-submitted", recipe, steps, fields, fields.assignments(Loops.Form.AUTO)));
    }

    /** A way to run all expressions. */
    private static final class Steps extends Contender {
        private final Recipe recipe;
        private final Inputs.Sum expected;
        private final int steps;
        private final JacquardFields fields;
        private final Measured.Runs runs;

        Steps(String system, Recipe recipe, int steps, JacquardFields fields, Measured.Runs runs) {
            super(system, 1);
            this.recipe = recipe;
            this.expected = recipe.sum();
            this.steps = steps;
            this.fields = fields;
            this.runs = runs;
        }

        @Override
        public Map<String, Double> round() throws Exception {
            Measured measured = runs.run(steps);
            verify(expected.isNear(measured.sum(), recipe.tolerance()), "the sum of the result");
            return Map.of(
                    MAIN, measured.nanos() / ((double) steps * recipe.steps().size()));
        }

        @Override
        public void close() {
            fields.close();
        }
    }
}
