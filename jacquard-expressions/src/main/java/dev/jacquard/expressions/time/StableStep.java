package dev.jacquard.expressions.time;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Lowering.Plan.Input;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Parameters;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The longest step for which small disturbances do not grow, by the eigenvalues of the rates that are linearised at the
 * values of now.
 *
 * <pre>
 *   rates --- derivative ---> Components --- sums of rows ---> RowSums, RowBounds: a step that is proven
 *                                  |
 *                                  +--- Linearised ---> Krylov ---> Spectrum, StabilityRegion: the step
 * </pre>
 *
 * <p>Confined to one thread, but for the task that it submits. Asked again, it has its loops already.
 */
final class StableStep {
    /** Where a direction lies before it is known. */
    private static final Binding.Place NOWHERE = new Binding.Place(MemorySegment.NULL, 0, 0, 0);

    private final Problem problem;
    private final FieldStore fields;
    private final Parameters numbers;
    private final Loops loops = new Loops();
    /** The fields that advance; null before they are asked for. */
    private @Nullable Components components;

    private @Nullable StepSearch search;
    private int[] fastest = {};

    StableStep(Problem problem, FieldStore fields, Parameters numbers) {
        this.problem = problem;
        this.fields = fields;
        this.numbers = numbers;
    }

    /**
     * Returns the step, with the numbers and the fields of now. See {@link Integrator#stableStep(double, Runnable)}.
     * The ghosts are filled in the same run, so that they match the cells.
     */
    double find(double enough, Runnable check) {
        Components its = components == null ? Components.of(problem, fields.grid()) : components;
        components = its;
        StepSearch known = search == null
                ? new StepSearch(
                        fields.grid(), its, new StabilityRegion(problem.method().count()))
                : search;
        search = known;
        Map<Input, GridField> inputs = new LinkedHashMap<>();
        its.all().stream()
                .flatMap(one -> one.plan().inputs().stream())
                .filter(input -> !Components.isDirection(input.tag()))
                .forEach(input -> inputs.put(input, fields.current(input.tag(), input.axis())));
        problem.boundaries().keySet().forEach(tag -> fields.current(tag, 0));
        AtomicReference<StepSearch.@Nullable Outcome> found = new AtomicReference<>();
        CompiledGraph look = fields.session().record("stable step", graph -> {
            problem.fillOnHost(fields, graph, numbers);
            TaskBuilder task = graph.task("stable step");
            inputs.values().stream().map(GridField::data).distinct().forEach(task::reads);
            task.run(context -> {
                found.set(known.run(context, rates(its, inputs, context, check), enough));
            });
        });
        try {
            look.run();
        } catch (TaskFailedException e) {
            check.run(); // throws again the exception that ended the search, if any
            throw e;
        }
        return switch (Objects.requireNonNull(found.get())) {
            case StepSearch.Outcome.Stable stable -> {
                fastest = stable.fastest();
                yield stable.step();
            }
            case StepSearch.Outcome.Unstable unstable -> throw exception(its, unstable);
        };
    }

    /** Returns the point with the fastest rate, as the last look that found a step had it; empty before. */
    int[] fastest() {
        return fastest.clone();
    }

    private Linearised rates(Components its, Map<Input, GridField> inputs, TaskContext context, Runnable check) {
        Map<Input, Binding.Place> places = new LinkedHashMap<>();
        inputs.forEach((input, field) -> places.put(input, field.place(context.memory(field.data()))));
        return new Linearised(
                problem, fields.grid(), its, loops, numbers::get, input -> places.getOrDefault(input, NOWHERE), check);
    }

    private ArithmeticException exception(Components its, StepSearch.Outcome.Unstable unstable) {
        Tag<?> unknown = its.all().get(unstable.component()).unknown();
        Tag<?> rate = problem.rates().get(unknown);
        String where = " in cell " + Arrays.toString(unstable.at());
        String grows = "no step is stable: \"" + rate + "\" lets short waves of \"" + unknown + "\" grow" + where;
        return switch (unstable.cause()) {
            case GROWTH -> new GrowingWavesException(grows + ", others faster than the shortest");
            case RISING_GROWTH -> new ArithmeticException(grows + ", as a negative diffusivity does");
            case SWING ->
                new ArithmeticException("no step of this method is stable: \"" + rate + "\" lets waves of \"" + unknown
                        + "\" swing without decay" + where + "; for convection alone take Ssp.order(3)");
            case NO_DERIVATIVE ->
                new InfiniteDerivativeException("no step is stable: \"" + rate + "\" has no finite derivative" + where);
        };
    }
}
