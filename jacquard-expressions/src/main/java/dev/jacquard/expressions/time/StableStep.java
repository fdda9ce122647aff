package dev.jacquard.expressions.time;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskFailedException;
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
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The longest step for which waves do not grow, with the coefficients of each cell taken for those of all.
 *
 * <p>Where coefficients vary, as in a flow that is narrow somewhere, that makes waves of a cell grow which decay in the
 * next. What decides there is the even part of the derivatives, half their sum with those of the neighbours by this
 * cell: in the energy of all cells the rest cancels. Where waves grow by that, too, those of the neighbours by this
 * cell decide, since a matrix and its transpose have the same eigenvalues: of {@code -dx(u*c)} waves grow by the row of
 * a cell at the rate {@code du/dx}, as they do by the column for {@code -u*dx(c)}.
 *
 * <p>Confined to one thread, but for the task that it submits. Asked again, it has its loops already.
 *
 * <p>Source: LeVeque, Finite Difference Methods for Ordinary and Partial Differential Equations, sections 9.6 and 10.5
 * (von Neumann's analysis).
 */
final class StableStep {
    /** By a name that no field of the user's has. */
    private static final Tag<Cell> DIRECTION = Tag.cell("direction\0");
    /** Where the direction lies. */
    private static final Binding.Place NOWHERE = new Binding.Place(MemorySegment.NULL, 0, 0, 0);

    private final Problem problem;
    private final FieldStore fields;
    private final Parameters numbers;
    private final Grid grid;
    private final Loops loops = new Loops();
    /** The derivatives of each rate by each field that advances; empty before they are asked for. */
    private List<List<Derivative>> derivatives = List.of();
    /** The region of the method; null before it is asked for. */
    private @Nullable StabilityRegion region;

    StableStep(Problem problem, FieldStore fields, Parameters numbers) {
        this.problem = problem;
        this.fields = fields;
        this.numbers = numbers;
        this.grid = fields.grid();
    }

    /**
     * Returns the step, with the numbers and the fields of now. See {@link Integrator#stableStep(Runnable)}. The ghosts
     * are filled in the same run, so that they are those of the cells.
     */
    double find(Runnable check) {
        if (derivatives.isEmpty()) {
            derivatives = derivatives();
        }
        StabilityRegion its =
                region == null ? new StabilityRegion(problem.method().count()) : region;
        region = its;
        Map<Lowering.Plan.Input, Field> inputs = new LinkedHashMap<>();
        derivatives.stream()
                .flatMap(List::stream)
                .flatMap(Derivative::reads)
                .forEach(input -> inputs.put(input, fields.current(input.tag(), input.axis())));
        problem.boundaries().keySet().forEach(tag -> fields.current(tag, 0));
        AtomicReference<@Nullable LeastStep> found = new AtomicReference<>();
        CompiledGraph search = fields.session().record("stable step", graph -> {
            problem.fillOnHost(fields, graph, numbers);
            TaskBuilder task = graph.task("stable step");
            inputs.values().stream().map(Field::data).distinct().forEach(task::reads);
            task.run(context -> found.set(step(inputs, its, context, check)));
        });
        try {
            search.run();
        } catch (TaskFailedException e) {
            check.run(); // throws again what ended the search, if it did
            throw e;
        }
        LeastStep least = Objects.requireNonNull(found.get());
        least.failure().ifPresent(one -> {
            throw one.cause() == LeastStep.Failure.Cause.GROWTH
                    ? new GrowingWavesException(reason(one))
                    : new ArithmeticException(reason(one));
        });
        return least.step();
    }

    /**
     * Returns the derivatives. Rates that have a term in common have derivatives in common, which are computed once.
     */
    private List<List<Derivative>> derivatives() {
        Map<Work, Derivative> known = new HashMap<>();
        List<List<Derivative>> all = new ArrayList<>();
        for (Tag<?> unknown : problem.rates().keySet()) {
            List<Derivative> its = new ArrayList<>();
            for (Tag<?> by : problem.rates().keySet()) {
                Lowering.Plan plan = derivative(unknown, cell(by));
                its.add(known.computeIfAbsent(Work.of(plan), any -> Derivative.of(plan)));
            }
            all.add(its);
        }
        return all;
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

    private LeastStep step(
            Map<Lowering.Plan.Input, Field> inputs, StabilityRegion its, TaskContext context, Runnable check)
            throws Exception {
        Map<Derivative, Jacobian> made = new HashMap<>();
        List<List<Jacobian>> all = derivatives.stream()
                .map(row -> row.stream()
                        .map(one -> made.computeIfAbsent(one, any -> jacobian(one, inputs, context)))
                        .toList())
                .toList();
        boolean varies =
                inputs.keySet().stream().anyMatch(input -> problem.rates().containsKey(input.tag()));
        List<Set<Integer>> periodic =
                problem.rates().keySet().stream().map(this::periodic).toList();
        LeastStep least = new LeastStep(grid, all, its, varies, periodic);
        context.parallelFor(0, least.blocks(), 1, (from, to) -> {
            check.run();
            least.look(from, to);
        });
        return least;
    }

    private Jacobian jacobian(Derivative derivative, Map<Lowering.Plan.Input, Field> inputs, TaskContext context) {
        List<Binding.Place> places = derivative.inputs().stream()
                .map(input -> {
                    Field field = inputs.get(input);
                    return field == null ? NOWHERE : field.place(context.memory(field.data()));
                })
                .toList();
        // Interpreted: what is called once is over before the JVM has compiled a loop of its own.
        return new Jacobian(
                grid, derivative.partials(), body -> loops.loop(body, Loops.Form.INTERPRETER), numbers::get, places);
    }

    /**
     * The derivative of a rate by a field.
     *
     * @param inputs of its loops; one of them may be the direction, which they do not read
     */
    private record Derivative(List<Lowering.Plan.Input> inputs, Partials partials) {
        static Derivative of(Lowering.Plan plan) {
            int direction = IntStream.range(0, plan.inputs().size())
                    .filter(i -> isDirection(plan.inputs().get(i)))
                    .findFirst()
                    .orElse(-1);
            return new Derivative(plan.inputs(), Partials.of(plan.body(), direction));
        }

        private static boolean isDirection(Lowering.Plan.Input input) {
            return input.tag().equals(DIRECTION);
        }

        /** Returns the fields that its loops read. */
        Stream<Lowering.Plan.Input> reads() {
            return inputs.stream().filter(input -> !isDirection(input));
        }
    }

    /** The work of a plan: of two with the same, one is enough. */
    private record Work(
            String shape, List<Double> constants, List<String> parameters, List<Lowering.Plan.Input> inputs) {
        static Work of(Lowering.Plan plan) {
            List<Double> constants =
                    Arrays.stream(plan.body().constants()).boxed().toList();
            return new Work(plan.body().shape(), constants, plan.body().parameters(), plan.inputs());
        }
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

    private String reason(LeastStep.Failure failure) {
        Tag<?> unknown = List.copyOf(problem.rates().keySet()).get(failure.unknown());
        Tag<?> rate = problem.rates().get(unknown);
        String where = " in cell [" + failure.x() + ", " + failure.y() + ", " + failure.z() + "]";
        return switch (failure.cause()) {
            case GROWTH, RISING_GROWTH ->
                "no step is stable: \"" + rate + "\" lets short waves of \"" + unknown + "\" grow" + where
                        + (failure.cause() == LeastStep.Failure.Cause.RISING_GROWTH
                                ? ", as a negative diffusivity does"
                                : ", others faster than the shortest");
            case SWING ->
                "no step of this method is stable: \"" + rate + "\" lets waves of \"" + unknown
                        + "\" swing without decay" + where + "; for convection alone take Ssp.order(3)";
            case NO_DERIVATIVE -> "no step is stable: \"" + rate + "\" has no finite derivative" + where;
        };
    }
}
