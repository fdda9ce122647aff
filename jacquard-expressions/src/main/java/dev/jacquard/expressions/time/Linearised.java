package dev.jacquard.expressions.time;

import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.language.Lowering.Plan.Input;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.tree.Boundaries;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The rates of all fields that advance, linearised at the values of the fields now, with the boundaries as they act on
 * a disturbance: given values are 0, and so are given derivatives.
 *
 * <p>Confined to one thread, which the workers help.
 */
final class Linearised {
    /** The points of a loop that are worth a part of their own: some microseconds. */
    private static final long POINTS = 1 << 15;

    private final Problem problem;
    private final Grid grid;
    private final Components components;
    private final Loops loops;
    private final ToDoubleFunction<String> parameter;
    private final Function<Input, Binding.Place> places;
    private final Runnable check;

    /**
     * Linearises the rates.
     *
     * @param parameter returns the number of a name
     * @param places returns the place of a field, or of a direction any
     * @param check runs in each part of a loop
     */
    Linearised(
            Problem problem,
            Grid grid,
            Components components,
            Loops loops,
            ToDoubleFunction<String> parameter,
            Function<Input, Binding.Place> places,
            Runnable check) {
        this.problem = problem;
        this.grid = grid;
        this.components = components;
        this.loops = loops;
        this.parameter = parameter;
        this.places = places;
        this.check = check;
    }

    /** Returns the sums over the rows of the matrix of derivatives, by field. */
    List<RowSums> rowSums(KernelContext context) throws Exception {
        List<RowSums> all = new ArrayList<>();
        for (int i = 0; i < components.all().size(); i++) {
            List<Binding.Place> its =
                    components.all().get(i).plan().inputs().stream().map(places).toList();
            all.add(new RowSums(grid, components, i).compute(context, loops, parameter, its, check));
        }
        return all;
    }

    /** Computes the derivatives of all rates along a direction, after filling its ghosts. */
    void product(KernelContext context, List<Binding.Place> direction, List<Binding.Place> result) throws Exception {
        for (int i = 0; i < direction.size(); i++) {
            Map<Side, Condition> conditions = conditions(components.all().get(i));
            if (!conditions.isEmpty()) {
                Boundaries.fill(grid, conditions, direction.get(i), context);
            }
        }
        for (int i = 0; i < result.size(); i++) {
            Components.Component its = components.all().get(i);
            LoopBody body = its.body().product();
            Loop loop = loops.loop(body, Loops.Form.PLAIN);
            double[] numbers = body.parameters().stream().mapToDouble(parameter).toArray();
            List<Binding.Place> all = new ArrayList<>();
            for (int input = 0; input < its.plan().inputs().size(); input++) {
                int number = its.directions().indexOf(input);
                all.add(number < 0 ? places.apply(its.plan().inputs().get(input)) : direction.get(number));
            }
            all.add(result.get(i));
            Binding binding = new Binding(body, all);
            List<Range> parts = parts(grid.interior(its.centring()));
            context.parallelFor(0, parts.size(), 1, (from, to) -> {
                check.run();
                for (int part = (int) from; part < to; part++) {
                    loop.run(binding, numbers, parts.get(part));
                }
            });
        }
    }

    private Map<Side, Condition> conditions(Components.Component component) {
        Map<Side, Condition> all = new EnumMap<>(Side.class);
        problem.boundaries().forEach((tag, its) -> {
            if (tag.equals(component.unknown())) {
                its.forEach((side, condition) -> all.put(side, disturbed(condition)));
            }
        });
        return all;
    }

    private static Condition disturbed(Condition condition) {
        return switch (condition) {
            case Condition.Dirichlet any -> Condition.dirichlet(0);
            case Condition.Neumann any -> Condition.neumann(0);
            case Condition.Periodic any -> condition;
            case Condition.Exchanged any -> condition;
        };
    }

    /** Returns slices along the slowest axis that has more than one point. */
    private static List<Range> parts(Range all) {
        int axis = all.z1() > 1 ? 2 : all.y1() > 1 ? 1 : 0;
        int end = axis == 2 ? all.z1() : axis == 1 ? all.y1() : all.x1();
        int count = (int) Math.min(end, Math.ceilDiv(all.points(), POINTS));
        List<Range> parts = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            parts.add(all.along(axis, (int) (end * i / count), (int) (end * (i + 1) / count)));
        }
        return parts;
    }
}
