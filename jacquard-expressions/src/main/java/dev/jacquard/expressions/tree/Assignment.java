package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An expression and the field that gets its values: at all points but ghosts, by one fused loop, or for a vector one
 * for each component; of a tree also the fields that a loop of the user's computes. Immutable; may be submitted again
 * and again.
 *
 * <pre>{@code
 * Assignment step = Assignment.of(fields, RHS, div(faces(K).times(grad(T))));
 * step.submit(graph);
 * }</pre>
 *
 * <p>Threads: any.
 */
public final class Assignment {
    private final FieldStore fields;
    private final List<? extends FieldTask> tasks;
    private final Set<String> parameters;
    /** Where the tasks are to run; null for where the session places them. */
    private final @Nullable ExecutionTarget where;

    private Assignment(
            FieldStore fields,
            List<? extends FieldTask> tasks,
            Set<String> parameters,
            @Nullable ExecutionTarget where) {
        this.fields = fields;
        this.tasks = tasks;
        this.parameters = parameters;
        this.where = where;
    }

    /** Returns the assignment with the loops that are the fastest here. */
    public static <L extends Location> Assignment of(FieldStore fields, Tag<L> target, Expr<L> expression) {
        return of(fields, target, expression, Loops.Form.AUTO);
    }

    /**
     * Returns the assignment with loops of some form: all compute the same bits.
     *
     * @throws IllegalArgumentException if the grid has too few ghost layers, or lacks an axis, or if the expression
     *     reads neighbours in the field that it is assigned to
     */
    public static <L extends Location> Assignment of(
            FieldStore fields, Tag<L> target, Expr<L> expression, Loops.Form form) {
        return of(fields, FieldLookup.of(fields), target, expression, form, List.of(), null);
    }

    /**
     * Returns the assignment of an operator that is looked up in the database of the fields, for the target on which
     * the result lives: the implementation that fits best there.
     *
     * @param type of the operator; the type of elements is that of the grid
     * @throws IllegalArgumentException if there is none; the message says which there are of its kind
     */
    public static <S extends Location, T extends Location> Assignment of(
            FieldStore fields, Tag<T> target, OperatorDatabase.Signature<S, T> type, Tag<S> operand) {
        OperatorDatabase.Signature<S, T> exact = type.on(fields.grid().type());
        ExecutionTarget where = Objects.requireNonNullElse(fields.target(target), ExecutionTarget.HOST);
        OperatorDatabase.Implementation entry = fields.operators().implementation(exact, where);
        if (entry.loop() == null) {
            OperatorDatabase.Formula<S, T> formula = fields.operators().find(exact, where);
            Assignment its = of(fields, target, OperatorDatabase.value(exact, formula, operand));
            return entry.where() == null ? its : its.on(where);
        }
        Expression.Dependents dependents =
                new Expression.Dependents().reads(operand, entry.ghosts()).computes(target);
        Expression loop = bindings -> {
            Expression.Values from = bindings.reads(operand);
            Expression.Results to = bindings.computes(target);
            OperatorDatabase.Loop its = bindings.operator(type);
            return run -> its.apply(run, from, to);
        };
        UserExpression its = UserExpression.of(fields.grid(), loop, dependents);
        return its.assignment(fields, FieldLookup.of(fields), Loops.Form.AUTO, List.of(), null);
    }

    /**
     * Returns the task of an expression with a loop of the user's.
     *
     * @throws IllegalArgumentException if a field that it computes lives on a device
     */
    static Assignment of(FieldStore fields, UserExpression its, UserLoop loop) {
        its.computes().forEach(tag -> {
            ExecutionTarget target = fields.target(tag);
            if (target != null) {
                loop.requireRunsWhere(tag, target);
            }
        });
        return new Assignment(fields, List.of(loop), its.parameters(), null);
    }

    /**
     * Returns the assignment to, and from, fields that {@code lookup} returns for a tag and an axis, with loops that
     * compute {@code tile} points along each axis at a time, or as many as suit.
     *
     * @param watch finds the deviation of the target; null to find none
     */
    static <L extends Location> Assignment of(
            FieldStore fields,
            FieldLookup lookup,
            Tag<L> target,
            Expr<L> expression,
            Loops.Form form,
            List<Integer> tile,
            @Nullable Watch watch) {
        Objects.requireNonNull(form, "form");
        Grid grid = fields.grid();
        List<Lowering.Plan> plans = Lowering.loops(grid, target.location(), expression);
        List<Lowering.Plan> watched = watch == null ? plans : watch.plans(grid, target, expression);
        plans.forEach(plan -> check(plan, target, grid));
        List<FieldLoop> loops = new ArrayList<>();
        for (Lowering.Plan plan : plans) {
            Function<Lowering.Plan.Input, GridField> field = input -> lookup.field(input.tag(), input.axis());
            List<Lowering.Plan.Input> read = watched.get(loops.size()).inputs();
            List<GridField> inputs = read.stream().map(field).toList();
            List<GridField> earlier = read.stream()
                    .filter(input -> !lookup.isComputedBefore(input.tag()))
                    .map(field)
                    .toList();
            GridField result = lookup.written(target, plan.axis());
            Runnable begun = () -> {
                fields.old.requireNew(earlier);
                fields.old.written(result.data());
                lookup.begun();
            };
            WatchedLoop its = watch == null ? null : watch.of(watched.get(loops.size()));
            loops.add(new FieldLoop(plan, fields.loops(), form, inputs, result, tile, begun, its));
        }
        for (FieldLoop reader : loops) {
            reader.target().requireWritable();
            loops.forEach(writer -> requireNoNeighboursOf(writer, reader));
        }
        return new Assignment(fields, List.copyOf(loops), expression.parameters(), fields.target(target));
    }

    /**
     * Returns the assignment with tasks for workers or devices of that kind, or for the one of that name. Without this,
     * the tasks of a session that has devices run where they are expected to end first, on any device, and the tasks of
     * another session on the host.
     *
     * @throws IllegalArgumentException if an expression of the user's is meant for anything but the host
     */
    public Assignment on(ExecutionTarget target) {
        Objects.requireNonNull(target, "target");
        tasks.forEach(task -> task.requireRunsOn(target));
        return new Assignment(fields, tasks, parameters, target);
    }

    private static void check(Lowering.Plan plan, Tag<?> target, Grid grid) {
        for (int i = 0; i < plan.inputs().size(); i++) {
            Lowering.Plan.Input input = plan.inputs().get(i);
            int needed = plan.ghosts(i, grid);
            if (needed > grid.ghostLayers(0)) {
                int layers = grid.ghostLayers(0);
                throw new IllegalArgumentException("\"" + target + "\" reads \"" + input + "\" " + needed
                        + (needed == 1 ? " layer" : " layers") + " beyond the boundary, and the grid has " + layers
                        + (layers == 1 ? " ghost layer: " : " ghost layers: ")
                        + (needed <= Grid.MOST_GHOSTS
                                ? "ask for Grid.ghosts(" + needed + ")"
                                : "a grid has " + Grid.MOST_GHOSTS + " at most, so assign a part of the expression to a"
                                        + " field first, whose boundaries are filled"));
            }
        }
    }

    private static void requireNoNeighboursOf(FieldLoop writer, FieldLoop reader) {
        for (int i = 0; i < reader.inputs().size(); i++) {
            if (writer.isTarget(reader.inputs().get(i))
                    && readsNeighbours(reader.plan().body(), i)) {
                throw new IllegalArgumentException(
                        "\"" + reader.target().name() + "\" reads neighbours in the field that it is assigned to, some"
                                + " of which it would have overwritten: assign to another field");
            }
        }
    }

    private static boolean readsNeighbours(LoopBody body, int input) {
        for (Value value : body.values()) {
            if (value.operator() == Operator.INPUT && value.element().input() == input) {
                Value.Element element = value.element();
                if (element.dx() != 0 || element.dy() != 0 || element.dz() != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Submits the loops of an expression without parameters. */
    public List<Task<@Nullable Void>> submit(Tasks graph) {
        return submit(graph, Map.of());
    }

    /**
     * Submits a task for each loop, which splits it where workers have nothing else to do.
     *
     * @param parameters the numbers of this run, by name
     * @return the tasks
     * @throws IllegalArgumentException if a parameter of the expression is missing, or there is one that it lacks
     */
    public List<Task<@Nullable Void>> submit(Tasks graph, Map<String, Double> parameters) {
        Parameters all = Parameters.fixed(parameters);
        all.requireOnly(this.parameters);
        return submit(graph, all);
    }

    /**
     * Submits a task for each loop, which splits it where workers have nothing else to do.
     *
     * @param parameters the numbers, by name, and perhaps more than the expression has
     * @return the tasks
     * @throws IllegalArgumentException if a parameter of the expression is missing
     */
    public List<Task<@Nullable Void>> submit(Tasks graph, Parameters parameters) {
        parameters.requireAll(this.parameters, fields.grid().type());
        List<Task<@Nullable Void>> all = new ArrayList<>();
        for (FieldTask task : tasks) {
            all.add(task.submit(fields.session(), graph, where, parameters));
        }
        return all;
    }

    /** Returns the tasks, one for each loop. */
    List<? extends FieldTask> tasks() {
        return tasks;
    }

    /** Returns the target for which the tasks are; null for where the session places them. */
    @Nullable
    ExecutionTarget where() {
        return where;
    }

    /** Returns the names of the parameters that are written in the expression, whatever becomes of them. */
    public Set<String> parameters() {
        return Collections.unmodifiableSet(parameters);
    }

    /** Returns the loops as text: each value of a point on a line. All forms on the host compute these. */
    public String source() {
        return text(null);
    }

    /** Returns the loops in the language of devices of a kind. */
    public String source(Language language) {
        return text(Objects.requireNonNull(language, "language"));
    }

    private String text(@Nullable Language language) {
        return tasks.stream().map(task -> task.source(language)).collect(Collectors.joining());
    }
}
