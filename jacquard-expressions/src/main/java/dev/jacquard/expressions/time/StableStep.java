package dev.jacquard.expressions.time;

import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Parameters;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The longest step for which waves do not grow, with the coefficients of each cell taken for those of all. Fields that
 * advance together are looked at one by one; what one does to another counts as if it made it decay or swing faster.
 *
 * <p>Confined to one thread, but for the task that it submits.
 *
 * <p>Source: LeVeque, Finite Difference Methods for Ordinary and Partial Differential Equations, sections 9.6 and 10.5
 * (von Neumann's analysis).
 */
final class StableStep {
    private static final Tag<Cell> DIRECTION = Tag.cell("direction");

    private final Problem problem;
    private final FieldStore fields;
    private final Parameters numbers;
    private final Grid grid;
    private final Loops loops = new Loops();

    StableStep(Problem problem, FieldStore fields, Parameters numbers) {
        this.problem = problem;
        this.fields = fields;
        this.numbers = numbers;
        this.grid = fields.grid();
    }

    /** Returns the step. */
    double find(TaskGraph graph) {
        Map<Tag<Cell>, List<Lowering.Plan>> parts = new LinkedHashMap<>();
        Map<Lowering.Plan.Input, Field> inputs = new LinkedHashMap<>();
        for (Tag<?> unknown : problem.rates().keySet()) {
            List<Lowering.Plan> its = new ArrayList<>();
            for (Tag<?> by : problem.rates().keySet()) {
                its.add(derivative(unknown, cell(by)));
            }
            parts.put(cell(unknown), its);
            for (Lowering.Plan plan : its) {
                plan.inputs().stream()
                        .filter(input -> !input.tag().equals(DIRECTION))
                        .forEach(input -> inputs.put(input, fields.field(input.tag(), input.axis())));
            }
        }
        TaskBuilder task = graph.task("stable step");
        inputs.values().stream().map(Field::data).distinct().forEach(task::reads);
        Outcome outcome = task.call(context -> {
                    Outcome least = new Outcome(Double.POSITIVE_INFINITY, "");
                    int number = 0;
                    for (Map.Entry<Tag<Cell>, List<Lowering.Plan>> one : parts.entrySet()) {
                        least = least.orLess(step(one.getKey(), one.getValue(), number++, inputs, context));
                    }
                    return least;
                })
                .join();
        if (!(outcome.step > 0)) {
            throw new ArithmeticException(outcome.reason);
        }
        return outcome.step;
    }

    /** The step found; the reason if there is none. */
    private record Outcome(double step, String reason) {
        Outcome orLess(Outcome other) {
            return other.step >= step ? this : other;
        }
    }

    @SuppressWarnings("unchecked") // looked at
    private static Tag<Cell> cell(Tag<?> tag) {
        if (tag.location() != Cell.class) {
            throw new UnsupportedOperationException("\"" + tag + "\" advances, and is not in cells: the stable step is"
                    + " known for fields in cells alone");
        }
        return (Tag<Cell>) tag;
    }

    @SuppressWarnings("unchecked") // a rate lies where its field does
    private Lowering.Plan derivative(Tag<?> unknown, Tag<Cell> by) {
        Expr<Cell> rate = (Expr<Cell>) problem.rate(cell(unknown));
        return Lowering.loops(grid, Cell.class, Functions.derivative(rate, by, DIRECTION))
                .getFirst();
    }

    private Outcome step(
            Tag<Cell> unknown,
            List<Lowering.Plan> derivatives,
            int own,
            Map<Lowering.Plan.Input, Field> inputs,
            TaskContext context) {
        // Shared, as the memory of fields is, though one thread uses it. Where loops have run on memory of both kinds,
        // C2 lifts the check of the owner out of a loop that needs none; it fails there, and the loop is compiled anew,
        // some fifty times.
        try (Arena arena = Arena.ofShared()) {
            List<Jacobian> all = new ArrayList<>();
            for (Lowering.Plan plan : derivatives) {
                List<Tag<?>> tags = new ArrayList<>();
                plan.inputs().forEach(input -> tags.add(input.tag()));
                all.add(new Jacobian(
                        grid,
                        plan,
                        tags.indexOf(DIRECTION),
                        loops,
                        numbers::get,
                        input -> place(inputs, input, context),
                        arena));
            }
            return leastStep(unknown, all, own);
        }
    }

    private static Binding.Place place(
            Map<Lowering.Plan.Input, Field> inputs, Lowering.Plan.Input input, TaskContext context) {
        Field field = Objects.requireNonNull(inputs.get(input));
        return field.place(context.memory(field.data()));
    }

    private Outcome leastStep(Tag<Cell> unknown, List<Jacobian> all, int own) {
        Waves waves = new Waves(
                problem.method().count(), grid.dimensions(), all.get(own).distances());
        double least = Double.POSITIVE_INFINITY;
        double[] last = {};
        for (int z = 0; z < grid.cells(2); z++) {
            for (int y = 0; y < grid.cells(1); y++) {
                for (Jacobian one : all) {
                    one.row(y, z);
                }
                for (int x = 0; x < grid.cells(0); x++) {
                    double others = 0;
                    for (int i = 0; i < all.size(); i++) {
                        others += i == own
                                ? 0
                                : Arrays.stream(all.get(i).at(x)).map(Math::abs).sum();
                    }
                    double[] its = all.get(own).at(x);
                    if (others == 0 && Arrays.equals(its, last)) {
                        continue; // as in most cells of most problems
                    }
                    last = others == 0 ? its.clone() : last;
                    double step = waves.step(its, others);
                    if (!(step > 0)) {
                        return new Outcome(
                                0, waves.reason(unknown, problem.rates().get(unknown), x, y, z));
                    }
                    least = Math.min(least, step);
                }
            }
        }
        return new Outcome(least, "");
    }
}
