package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Body;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * An expression and the field that gets its values: at all points but ghosts, by one fused loop, or for a vector one
 * for each component. Immutable; may be submitted again and again.
 *
 * <pre>{@code
 * Assignment step = Assignment.of(fields, RHS, div(faces(K).times(grad(T))));
 * step.submit(graph);
 * }</pre>
 *
 * <p>Threads: any.
 */
public final class Assignment {
    /** Points that are worth a part of a loop of its own: some microseconds. */
    private static final int POINTS_PER_PART = 1 << 15;

    private final Grid grid;
    private final List<Component> components;

    /** One loop: what is read and written, by the numbers of the body. */
    private record Component(Lowering.Plan plan, Loop loop, Field target, List<Field> inputs) {
        /** Returns true if the loop reads what it writes, which it does at the same point only. */
        boolean isInPlace() {
            return inputs.stream().anyMatch(this::isTarget);
        }

        /** Returns true if a field is the one that is written, perhaps by another name. */
        boolean isTarget(Field field) {
            return field.data().equals(target.data());
        }

        /** Returns the range in the rows that suit the loop. */
        Range rows(Binding binding, Range part) {
            return loop.likesLongRows() ? binding.joined(plan.body(), part) : part;
        }
    }

    private Assignment(Grid grid, List<Component> components) {
        this.grid = grid;
        this.components = components;
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
        return of(fields, fields::field, target, expression, form);
    }

    /** Returns the assignment to, and from, fields that {@code lookup} returns for a tag and an axis. */
    static <L extends Location> Assignment of(
            FieldStore fields,
            BiFunction<Tag<?>, Integer, Field> lookup,
            Tag<L> target,
            Expr<L> expression,
            Loops.Form form) {
        Objects.requireNonNull(form, "form");
        Grid grid = fields.grid();
        List<Lowering.Plan> plans = Lowering.loops(grid, target.location(), expression);
        plans.forEach(plan -> check(plan, target, grid));
        List<Component> components = new ArrayList<>();
        for (Lowering.Plan plan : plans) {
            List<Field> inputs = plan.inputs().stream()
                    .map(input -> lookup.apply(input.tag(), input.axis()))
                    .toList();
            Loop loop = fields.loops().loop(plan.body(), form);
            components.add(new Component(plan, loop, lookup.apply(target, plan.axis()), inputs));
        }
        for (Component reader : components) {
            components.forEach(writer -> requireNoNeighboursOf(writer, reader));
        }
        return new Assignment(grid, List.copyOf(components));
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

    private static void requireNoNeighboursOf(Component writer, Component reader) {
        for (int i = 0; i < reader.inputs.size(); i++) {
            if (writer.isTarget(reader.inputs.get(i)) && readsNeighbours(reader.plan.body(), i)) {
                throw new IllegalArgumentException("\"" + reader.target.name() + "\" reads neighbours in the field that"
                        + " it is assigned to, some of which it would have overwritten: assign to another field");
            }
        }
    }

    private static boolean readsNeighbours(Body body, int input) {
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
        Parameters all = Parameters.of(parameters);
        all.require(parameters());
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
        List<Task<@Nullable Void>> tasks = new ArrayList<>();
        for (Component component : components) {
            TaskBuilder task = graph.task(component.target.name());
            component.inputs.stream()
                    .filter(field -> !component.isTarget(field))
                    .map(Field::data)
                    .distinct()
                    .forEach(task::reads);
            if (component.isInPlace()) {
                task.updates(component.target.data());
            } else {
                task.writes(component.target.data());
            }
            double[] numbers = parameters.bind(component.plan.body().parameters());
            BindingBody body = context -> bind(component, numbers, context);
            tasks.add(task.run(body));
        }
        return tasks;
    }

    /** Returns the names of the parameters. */
    public Set<String> parameters() {
        Set<String> names = new LinkedHashSet<>();
        components.forEach(component -> names.addAll(component.plan.body().parameters()));
        return names;
    }

    /** Returns the work of a loop's task on the memory where its fields are. */
    private TaskBody bind(Component component, double[] parameters, TaskContext context) {
        List<Binding.Place> places = new ArrayList<>();
        component.inputs.forEach(field -> places.add(field.place(context.memory(field.data()))));
        places.add(component.target.place(context.memory(component.target.data())));
        Binding binding = new Binding(component.plan.body(), places);
        Range all = grid.interior(component.plan.centring());
        boolean byPlanes = grid.dimensions() > 2;
        int parts = byPlanes ? all.z1() : all.y1();
        long grain = Math.max(1, POINTS_PER_PART * (long) parts / all.points());
        if (parts <= grain) {
            Range rows = component.rows(binding, all);
            return run -> component.loop.run(binding, parameters, rows);
        }
        RangeBody loop = (from, to) -> {
            int first = (int) from;
            int last = (int) to;
            Range part = byPlanes
                    ? new Range(0, all.x1(), 0, all.y1(), first, last)
                    : new Range(0, all.x1(), first, last, 0, 1);
            component.loop.run(binding, parameters, component.rows(binding, part));
        };
        return run -> run.parallelFor(0, parts, grain, loop);
    }

    /** Returns the loops as text: each value of a point on a line. */
    public String source() {
        StringBuilder text = new StringBuilder();
        for (Component component : components) {
            text.append(component.target)
                    .append(" from ")
                    .append(component.inputs)
                    .append('\n');
            text.append(Loops.source(component.plan.body())).append('\n');
        }
        return text.toString();
    }
}
