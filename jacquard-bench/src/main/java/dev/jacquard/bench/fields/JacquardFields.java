package dev.jacquard.bench.fields;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a recipe in a session with one worker, and the ways to compute it there. Confined to the thread of the
 * contenders that share it.
 */
final class JacquardFields implements AutoCloseable {
    private static final double[] NO_PARAMETERS = {};

    private final Recipe recipe;
    private final Clock clock;
    private final Session session;
    private final FieldStore fields;
    private final Loops loops = new Loops();
    private final List<GridField> inputs;
    private final List<GridField> targets = new ArrayList<>();

    /** A loop, and the fields that it reads, followed by the ones that it writes. */
    private record Step(Lowering.Plan plan, Loop loop, List<GridField> fields) {}

    JacquardFields(Recipe recipe, Clock clock) {
        this.recipe = recipe;
        this.clock = clock;
        Grid grid = recipe.grid();
        session = Session.builder().workers(1).open();
        fields = FieldStore.open(session, grid);
        inputs = recipe.inputs().stream().map(fields::field).toList();
        for (int i = 0; i < inputs.size(); i++) {
            int input = i;
            fields.set(inputs.get(i), (x, y, z) -> Inputs.value(input, grid, x, y, z));
        }
        for (Recipe.Step<?> step : recipe.steps()) {
            Tag<?> target = step.target();
            fields.set(target, (x, y, z) -> 0);
            for (int axis = 0; axis < (target.isVector() ? grid.dimensions() : 1); axis++) {
                targets.add(fields.field(target, axis));
            }
        }
    }

    // ---- ways

    /** Returns the runs of the loops alone, in the body of one task. */
    Measured.Runs loops(Loops.Form form) {
        List<Step> steps = new ArrayList<>();
        for (Recipe.Step<?> step : recipe.steps()) {
            for (Lowering.Plan plan : step.plans(recipe.grid())) {
                List<GridField> its = new ArrayList<>();
                plan.inputs().forEach(input -> its.add(fields.field(input.tag(), input.axis())));
                its.add(fields.field(step.target(), plan.axis()));
                steps.add(new Step(plan, loops.loop(plan.body(), form), its));
            }
        }
        return times -> inTask(times, context -> {
            List<Runnable> all =
                    steps.stream().map(step -> bound(step, context)).toList();
            return () -> all.forEach(Runnable::run);
        });
    }

    /** Returns the runs of {@link HeatByHand} on the same memory. */
    Measured.Runs byHand() {
        Range all = recipe.grid().interior(targets.getLast().centring());
        return times -> inTask(times, context -> {
            Binding.Place t = inputs.get(0).place(context.memory(inputs.get(0).data()));
            Binding.Place k = inputs.get(1).place(context.memory(inputs.get(1).data()));
            GridField target = targets.getLast();
            HeatByHand heat = new HeatByHand(target.place(context.memory(target.data())), t, k, all.x1());
            return () -> heat.run(all);
        });
    }

    /** Returns the runs of assignments, a task each: their cost in addition to the loops is in the time. */
    Measured.Runs assignments(Loops.Form form) {
        List<Assignment> all = new ArrayList<>();
        recipe.steps().forEach(step -> all.add(step.assignment(fields, form)));
        return times -> {
            clear();
            TaskGraph graph = session.graph("bench", FailurePolicy.CONTINUE);
            long start = clock.nanoTime();
            for (long i = 0; i < times; i++) {
                all.forEach(assignment -> assignment.submit(graph));
            }
            graph.await();
            return new Measured(clock.nanoTime() - start, sum());
        };
    }

    /** Returns the runs of one graph of all assignments, recorded once. */
    Measured.Runs compiled(Loops.Form form) {
        List<Assignment> all = new ArrayList<>();
        recipe.steps().forEach(step -> all.add(step.assignment(fields, form)));
        CompiledGraph step = session.record("step", graph -> all.forEach(assignment -> assignment.submit(graph)));
        return times -> {
            clear();
            long start = clock.nanoTime();
            for (long i = 0; i < times; i++) {
                step.run();
            }
            return new Measured(clock.nanoTime() - start, sum());
        };
    }

    // ---- runs

    /** Makes the work of a task in its body, where the memory of the fields is known. */
    @FunctionalInterface
    private interface Work {
        Runnable in(TaskContext context) throws Exception;
    }

    private Measured inTask(long times, Work work) {
        clear();
        long[] nanos = new long[1]; // written by the task, read when it is over
        TaskGraph graph = session.graph("bench", FailurePolicy.CONTINUE);
        TaskBuilder task = graph.task("loops");
        inputs.forEach(field -> task.reads(field.data()));
        targets.forEach(field -> task.updates(field.data()));
        task.run(context -> {
            Runnable once = work.in(context);
            long start = clock.nanoTime();
            for (long i = 0; i < times; i++) {
                once.run();
            }
            nanos[0] = clock.nanoTime() - start;
        });
        graph.await();
        return new Measured(nanos[0], sum());
    }

    private Runnable bound(Step step, TaskContext context) {
        List<Binding.Place> places = new ArrayList<>();
        for (GridField field : step.fields) {
            places.add(field.place(context.memory(field.data())));
        }
        Binding binding = new Binding(step.plan.body(), places);
        Range all = recipe.grid().interior(step.plan.centring());
        Range rows = step.loop.likesLongRows() ? binding.joined(step.plan.body(), all) : all;
        return () -> step.loop.run(binding, NO_PARAMETERS, rows);
    }

    // ---- the result

    private void clear() {
        GridField target = targets.getLast();
        try (UserView view = session.data().open(target.data(), Mode.UPDATE)) {
            view.memory().segment().fill((byte) 0);
        }
    }

    private double sum() {
        GridField target = targets.getLast();
        boolean single = recipe.grid().type() == DataType.FLOAT32;
        try (UserView view = session.data().open(target.data(), Mode.READ)) {
            Binding.Place place = target.place(view.memory());
            MemorySegment memory = place.segment();
            Range range = recipe.grid().interior(target.centring());
            return Inputs.sum(range, (x, y, z) -> {
                        long row = place.start() + y * place.strideY() + z * place.strideZ();
                        return single
                                ? memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, row + (long) x * Float.BYTES)
                                : memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, row + (long) x * Double.BYTES);
                    })
                    .sum();
        }
    }

    /** Ends the session. May be called again. */
    @Override
    public void close() {
        fields.close();
        session.close();
    }
}
