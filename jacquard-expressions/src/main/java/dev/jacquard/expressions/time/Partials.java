package dev.jacquard.expressions.time;

import dev.jacquard.expressions.loop.Body;
import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.expressions.loop.Value.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The partial derivatives of a rate by a field's values at the point and around it. Each is what the rate's derivative
 * along a direction becomes, in which it is linear, where the direction is 1 there and 0 elsewhere. Immutable.
 *
 * @param distances of the values from the point
 * @param bodies of loops that compute {@value #PER_BODY} of them each, in this order; the last one the others. Their
 *     inputs are those of the derivative, without the direction
 */
record Partials(List<Element> distances, List<Body> bodies) {
    /** The results of a loop: one of more would be too long to be compiled. */
    private static final int PER_BODY = 32;

    Partials {
        distances = List.copyOf(distances);
        bodies = List.copyOf(bodies);
    }

    /**
     * @param body computes the derivative along the direction
     * @param direction its number among the inputs; -1 if it has no part in it
     */
    static Partials of(Body body, int direction) {
        List<Element> distances = body.values().stream()
                .filter(value -> isDirection(value, direction))
                .map(Value::element)
                .toList();
        List<Body> bodies = new ArrayList<>();
        for (int i = 0; i < distances.size(); i += PER_BODY) {
            Maker maker = new Maker(body, direction);
            List<Value> results = distances.subList(i, Math.min(i + PER_BODY, distances.size())).stream()
                    .map(maker::result)
                    .toList();
            bodies.add(maker.builder.build(body.inputs(), results));
        }
        return new Partials(distances, bodies);
    }

    private static boolean isDirection(Value value, int direction) {
        return value.operator() == Operator.INPUT && value.element().input() == direction;
    }

    /** Makes some of them in one body. */
    private static final class Maker {
        private final BodyBuilder builder;
        private final Body body;
        private final int direction;
        /** The values that do not depend on the direction, by number; others are null. */
        private final @Nullable Value[] fixed;

        Maker(Body body, int direction) {
            this.body = body;
            this.direction = direction;
            this.builder = new BodyBuilder(body.type());
            this.fixed = new Value[body.values().size()];
            for (Value value : body.values()) {
                List<Value> operands = new ArrayList<>();
                value.operands().stream().map(one -> fixed[one.number()]).forEach(operands::add);
                if (!isDirection(value, direction) && operands.stream().allMatch(Objects::nonNull)) {
                    fixed[value.number()] = copy(value, operands);
                }
            }
        }

        private Value copy(Value value, List<Value> operands) {
            return switch (value.operator()) {
                case INPUT -> {
                    Element read = value.element();
                    yield builder.input(read.input(), read.dx(), read.dy(), read.dz());
                }
                case CONSTANT -> builder.constant(body.constants()[value.slot()]);
                case PARAMETER -> builder.parameter(body.parameters().get(value.slot()));
                case INDEX -> builder.index((int) value.integer());
                case INTEGER -> builder.integer(value.integer());
                default -> builder.apply(value.operator(), operands.toArray(Value[]::new));
            };
        }

        /** Returns the derivative by the value at that distance. */
        Value result(Element by) {
            @Nullable Value[] made = new Value[fixed.length]; // null for 0
            for (Value value : body.values()) {
                int number = value.number();
                if (fixed[number] == null) {
                    made[number] = isDirection(value, direction)
                            ? (value.element().equals(by) ? builder.constant(1) : null)
                            : linear(value, made);
                }
            }
            return orZero(made[body.results().getFirst().number()]);
        }

        private @Nullable Value linear(Value value, @Nullable Value[] made) {
            Value first = value.operands().getFirst();
            Value last = value.operands().getLast();
            Value a = made[first.number()];
            Value b = made[last.number()];
            return switch (value.operator()) {
                case ADD -> a == null ? b : b == null ? a : builder.apply(Operator.ADD, a, b);
                case SUBTRACT -> b == null ? a : a == null ? negated(b) : builder.apply(Operator.SUBTRACT, a, b);
                case NEGATE -> a == null ? null : negated(a);
                case MULTIPLY ->
                    fixed[first.number()] == null ? times(a, fixed[last.number()]) : times(b, fixed[first.number()]);
                case DIVIDE -> a == null ? null : over(a, Objects.requireNonNull(fixed[last.number()]));
                case SELECT -> {
                    Value yes = made[value.operands().get(1).number()];
                    yield yes == null && b == null
                            ? null
                            : builder.apply(
                                    Operator.SELECT,
                                    Objects.requireNonNull(fixed[first.number()]),
                                    orZero(yes),
                                    orZero(b));
                }
                default -> throw new IllegalStateException(value.operator() + " of a direction is not linear in it");
            };
        }

        /** Returns a quotient, which is 0 where the dividend is: the root of what is cut off at 0 is flat there. */
        private Value over(Value linear, Value divisor) {
            Value quotient = builder.apply(Operator.DIVIDE, linear, divisor);
            if (builder.constantOf(divisor) != null || builder.constantOf(linear) != null) {
                return quotient;
            }
            Value zero = builder.constant(0);
            return builder.apply(Operator.SELECT, builder.apply(Operator.EQUAL, linear, zero), zero, quotient);
        }

        private Value negated(Value value) {
            return builder.apply(Operator.NEGATE, value);
        }

        private @Nullable Value times(@Nullable Value linear, @Nullable Value factor) {
            Value known = Objects.requireNonNull(factor, "two directions");
            Double number = linear == null ? null : builder.constantOf(linear);
            return linear == null
                    ? null
                    : number != null && number == 1 ? known : builder.apply(Operator.MULTIPLY, linear, known);
        }

        private Value orZero(@Nullable Value value) {
            return value == null ? builder.constant(0) : value;
        }
    }
}
