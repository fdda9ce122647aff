package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields that advance: one for each unknown, or for each component of a vector, each with the body of its rate's
 * derivative along a direction in all of them. Immutable.
 *
 * @param all the fields, in their order
 */
record Components(List<Component> all) {
    Components {
        all = List.copyOf(all);
    }

    /**
     * A field that advances.
     *
     * @param unknown what it belongs to
     * @param axis the component; 0 for fields that are no vector
     * @param plan the derivative of its rate
     * @param directions the number of each field's direction among the inputs of the plan; -1 for one without influence
     * @param body of the plan
     */
    record Component(Tag<?> unknown, int axis, Lowering.Plan plan, List<Integer> directions, LinearBody body) {
        Centring centring() {
            return unknown.centring(axis);
        }
    }

    /** Returns the fields of a problem. */
    static Components of(Problem problem, Grid grid) {
        List<Lowering.Plan.Input> inputs = new ArrayList<>();
        problem.rates().keySet().forEach(tag -> {
            for (int axis = 0; axis < tag.components(grid); axis++) {
                inputs.add(new Lowering.Plan.Input(direction(tag), axis));
            }
        });
        List<Component> all = new ArrayList<>();
        for (Tag<?> unknown : problem.rates().keySet()) {
            List<Lowering.Plan> plans = plans(problem, grid, unknown);
            for (int axis = 0; axis < plans.size(); axis++) {
                Lowering.Plan plan = plans.get(axis);
                List<Integer> numbers =
                        inputs.stream().map(plan.inputs()::indexOf).toList();
                LinearBody body = new LinearBody(
                        plan.body(),
                        numbers.stream().mapToInt(Integer::intValue).toArray());
                all.add(new Component(unknown, axis, plan, numbers, body));
            }
        }
        return new Components(all);
    }

    private static <L extends Location> Tag<L> direction(Tag<L> unknown) {
        return new Tag<>("direction of " + unknown.name() + '\0', unknown.location()); // like no field of the user's
    }

    /** Returns true if a field is a direction. */
    static boolean isDirection(Tag<?> tag) {
        return tag.name().endsWith("\0");
    }

    @SuppressWarnings("unchecked") // a rate lies where its field does
    private static <L extends Location> List<Lowering.Plan> plans(Problem problem, Grid grid, Tag<L> unknown) {
        Expr<L> rate = (Expr<L>) problem.rate(unknown);
        Expr<L> sum = Functions.number(0);
        for (Tag<?> by : problem.rates().keySet()) {
            sum = sum.plus(derivative(rate, by));
        }
        return Lowering.loops(grid, unknown.location(), sum);
    }

    private static <L extends Location, M extends Location> Expr<L> derivative(Expr<L> rate, Tag<M> by) {
        return Functions.derivative(rate, by, direction(by));
    }
}
