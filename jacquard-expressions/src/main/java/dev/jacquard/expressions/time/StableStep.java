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
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Parameters;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The longest step for which waves do not grow, with the coefficients of each cell taken for those of all.
 *
 * <p>Where coefficients vary, as in a flow that is narrow somewhere, that makes waves of a cell grow which decay in the
 * next. What decides is the even part of the derivatives, half their sum with those of the neighbours by this cell: in
 * the energy of all cells the rest cancels.
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
        List<List<Lowering.Plan>> plans = new ArrayList<>();
        Map<Lowering.Plan.Input, Field> inputs = new LinkedHashMap<>();
        for (Tag<?> unknown : problem.rates().keySet()) {
            List<Lowering.Plan> its = new ArrayList<>();
            for (Tag<?> by : problem.rates().keySet()) {
                its.add(derivative(unknown, cell(by)));
            }
            plans.add(its);
            for (Lowering.Plan plan : its) {
                plan.inputs().stream()
                        .filter(input -> !input.tag().equals(DIRECTION))
                        .forEach(input -> inputs.put(input, fields.field(input.tag(), input.axis())));
            }
        }
        TaskBuilder task = graph.task("stable step");
        inputs.values().stream().map(Field::data).distinct().forEach(task::reads);
        Outcome outcome = task.call(context -> step(plans, inputs, context)).join();
        if (!(outcome.step > 0)) {
            throw new ArithmeticException(outcome.reason);
        }
        return outcome.step;
    }

    /** The step found; the reason if there is none. */
    private record Outcome(double step, String reason) {}

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

    private Outcome step(List<List<Lowering.Plan>> plans, Map<Lowering.Plan.Input, Field> inputs, TaskContext context) {
        // Shared, as the memory of fields is, though one thread uses it. Where loops have run on memory of both kinds,
        // C2 lifts the check of the owner out of a loop that needs none; it fails there, and the loop is compiled anew,
        // some fifty times.
        try (Arena arena = Arena.ofShared()) {
            List<List<Jacobian>> all = new ArrayList<>();
            Map<Work, Jacobian> known = new HashMap<>();
            boolean varies = false;
            // Lanes read whole vectors, for which memory of the user's has no room behind the last row.
            Loops.Form form = inputs.values().stream().allMatch(field -> isPadded(field, context))
                    ? Loops.Form.AUTO
                    : Loops.Form.PLAIN;
            for (List<Lowering.Plan> row : plans) {
                List<Jacobian> its = new ArrayList<>();
                for (Lowering.Plan plan : row) {
                    List<Tag<?>> tags = new ArrayList<>();
                    plan.inputs().forEach(input -> tags.add(input.tag()));
                    varies |= tags.stream().anyMatch(problem.rates()::containsKey);
                    its.add(known.computeIfAbsent(
                            Work.of(plan),
                            any -> new Jacobian(
                                    grid,
                                    plan,
                                    tags.indexOf(DIRECTION),
                                    loops.loop(plan.body(), form),
                                    numbers::get,
                                    input -> place(inputs, input, context),
                                    arena)));
                }
                all.add(its);
            }
            return leastStep(all, new Couplings(problem.method().count(), grid, all, varies));
        }
    }

    /** The work of a plan. Rates that have a term in common have derivatives in common, which are computed once. */
    private record Work(
            String shape, List<Double> constants, List<String> parameters, List<Lowering.Plan.Input> inputs) {
        static Work of(Lowering.Plan plan) {
            List<Double> constants =
                    Arrays.stream(plan.body().constants()).boxed().toList();
            return new Work(plan.body().shape(), constants, plan.body().parameters(), plan.inputs());
        }
    }

    private static boolean isPadded(Field field, TaskContext context) {
        return context.memory(field.data()).layout().isAligned();
    }

    private static Binding.Place place(
            Map<Lowering.Plan.Input, Field> inputs, Lowering.Plan.Input input, TaskContext context) {
        Field field = Objects.requireNonNull(inputs.get(input));
        return field.place(context.memory(field.data()));
    }

    private Outcome leastStep(List<List<Jacobian>> all, Couplings couplings) {
        List<Tag<?>> unknowns = List.copyOf(problem.rates().keySet());
        List<EvenPart> evens = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            evens.add(new EvenPart(grid, all.get(i).get(i), periodic(unknowns.get(i))));
        }
        Set<Jacobian> distinct = new LinkedHashSet<>();
        all.forEach(distinct::addAll);
        double least = Double.POSITIVE_INFINITY;
        double[][][] its = new double[all.size()][all.size()][0];
        for (int z = 0; z < grid.cells(2); z++) {
            for (int y = 0; y < grid.cells(1); y++) {
                compute(distinct, evens, y, z);
                for (int x = 0; x < grid.cells(0); x++) {
                    if (!update(its, all, x) || couplings.safeStep(its) >= least) {
                        continue; // as in most cells of most problems
                    }
                    int grows = couplings.set(its, evens, x);
                    double step = grows >= 0 ? 0 : couplings.step();
                    if (!(step > 0)) {
                        int which = Math.max(0, grows >= 0 ? grows : couplings.least());
                        return new Outcome(0, reason(unknowns.get(which), grows >= 0, x, y, z));
                    }
                    least = Math.min(least, step);
                }
            }
        }
        return new Outcome(least, "");
    }

    private static void compute(Set<Jacobian> all, List<EvenPart> evens, int y, int z) {
        evens.forEach(even -> even.row(y, z));
        all.forEach(one -> one.row(y, z));
    }

    /** Takes the derivatives of a cell; returns false if they are those of before. */
    private static boolean update(double[][][] its, List<List<Jacobian>> all, int x) {
        boolean isNew = false;
        for (int p = 0; p < its.length; p++) {
            for (int q = 0; q < its.length; q++) {
                double[] now = all.get(p).get(q).at(x);
                if (!Arrays.equals(now, its[p][q])) {
                    its[p][q] = now.clone();
                    isNew = true;
                }
            }
        }
        return isNew;
    }

    /** Returns the axes along which a field repeats itself. */
    private Set<Integer> periodic(Tag<?> unknown) {
        Set<Integer> axes = new HashSet<>();
        problem.boundaries().forEach((tag, conditions) -> {
            if (tag.equals(unknown)) {
                conditions.forEach((side, condition) -> {
                    if (condition instanceof Condition.Periodic) {
                        axes.add(side.axis());
                    }
                });
            }
        });
        return axes;
    }

    private String reason(Tag<?> unknown, boolean grows, int x, int y, int z) {
        Tag<?> rate = problem.rates().get(unknown);
        String where = " in cell [" + x + ", " + y + ", " + z + "]";
        return grows
                ? "no step is stable: \"" + rate + "\" lets short waves of \"" + unknown + "\" grow" + where
                        + ", as a negative diffusivity does"
                : "no step of this method is stable: \"" + rate + "\" lets waves of \"" + unknown
                        + "\" swing without decay" + where
                        + ", or has no finite derivative; for convection alone take Ssp.order(3)";
    }
}
