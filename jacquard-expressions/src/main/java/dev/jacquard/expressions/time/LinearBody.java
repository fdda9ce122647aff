package dev.jacquard.expressions.time;

import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.expressions.loop.Value.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The body of a rate's derivative along directions, some of its inputs, in which it is linear. Two loops follow from
 * it: the {@linkplain #product product} of the derivatives with directions, and {@linkplain #sums sums} of the
 * derivatives at a point. Immutable.
 */
final class LinearBody {
    private final LoopBody body;
    /** The numbers of the directions among the inputs; -1 for one that the body does not read. */
    private final int[] directions;

    LinearBody(LoopBody body, int... directions) {
        this.body = body;
        this.directions = directions.clone();
    }

    /** Returns the body that computes the derivative along the directions. A quotient with the dividend 0 is 0. */
    LoopBody product() {
        Maker maker = new Maker();
        return maker.builder.build(body.inputs(), List.of(maker.result(null)));
    }

    /** Returns the elements of a direction that the body reads. */
    List<Element> elements(int direction) {
        return body.values().stream()
                .filter(value -> value.operator() == Operator.INPUT)
                .map(Value::element)
                .filter(element -> element.input() == directions[direction])
                .toList();
    }

    /**
     * Returns the body of sums over the derivatives by the elements of each direction: for each direction the sum of
     * their magnitudes, then for each direction their sum, then the derivative by the point's own element of direction
     * {@code own}, then for each non-empty set of axes their sum with changing signs along these: the rate of growth of
     * waves of two cells.
     *
     * @param dimensions of the grid
     */
    LoopBody sums(int own, int dimensions) {
        Maker maker = new Maker();
        BodyBuilder builder = maker.builder;
        List<Value> sizes = new ArrayList<>();
        List<Value> sums = new ArrayList<>();
        Value centre = builder.constant(0);
        Value[] waves = new Value[1 << dimensions];
        Arrays.fill(waves, builder.constant(0));
        for (int direction = 0; direction < directions.length; direction++) {
            Value size = builder.constant(0);
            Value sum = builder.constant(0);
            for (Element element : elements(direction)) {
                Value its = maker.result(element);
                size = builder.apply(Operator.ADD, size, builder.apply(Operator.ABS, its));
                sum = builder.apply(Operator.ADD, sum, its);
                if (direction == own) {
                    centre = element.dx() == 0 && element.dy() == 0 && element.dz() == 0 ? its : centre;
                    for (int axes = 1; axes < waves.length; axes++) {
                        waves[axes] = builder.apply(
                                isOdd(element, axes) ? Operator.SUBTRACT : Operator.ADD, waves[axes], its);
                    }
                }
            }
            sizes.add(size);
            sums.add(sum);
        }
        List<Value> results = new ArrayList<>(sizes);
        results.addAll(sums);
        results.add(centre);
        results.addAll(List.of(waves).subList(1, waves.length));
        return builder.build(body.inputs(), results);
    }

    /** Returns true if an element is an odd number of cells away along some axes, the bits of {@code axes}. */
    private static boolean isOdd(Element element, int axes) {
        int cells = 0;
        for (int axis = 0; axis < 3; axis++) {
            cells += (axes >> axis & 1) * element.distance(axis);
        }
        return cells % 2 != 0;
    }

    private boolean isDirection(Value value) {
        if (value.operator() == Operator.INPUT) {
            for (int direction : directions) {
                if (value.element().input() == direction) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Makes values of the new body. */
    private final class Maker {
        private final BodyBuilder builder = new BodyBuilder(body.type());
        /** The values that do not depend on the directions, by number; others are null. */
        private final @Nullable Value[] fixed = new Value[body.values().size()];

        Maker() {
            for (Value value : body.values()) {
                List<Value> operands = new ArrayList<>();
                value.operands().stream().map(one -> fixed[one.number()]).forEach(operands::add);
                if (!isDirection(value) && operands.stream().allMatch(Objects::nonNull)) {
                    fixed[value.number()] = copy(value, operands);
                }
            }
        }

        private Value copy(Value value, List<Value> operands) {
            return switch (value.operator()) {
                case INPUT -> input(value.element());
                case CONSTANT -> builder.constant(body.constants()[value.slot()]);
                case PARAMETER -> builder.parameter(body.parameters().get(value.slot()));
                case INDEX -> builder.index((int) value.integer());
                case INTEGER -> builder.integer(value.integer());
                default -> builder.apply(value.operator(), operands.toArray(Value[]::new));
            };
        }

        private Value input(Element read) {
            return builder.input(read.input(), read.dx(), read.dy(), read.dz());
        }

        /** Returns the derivative by one element; if it is null the derivative along the directions. */
        Value result(@Nullable Element by) {
            @Nullable Value[] made = new Value[fixed.length]; // null for 0
            for (Value value : body.values()) {
                int number = value.number();
                if (fixed[number] == null) {
                    made[number] = isDirection(value) ? direction(value.element(), by) : linear(value, made);
                }
            }
            return orZero(made[body.results().getFirst().number()]);
        }

        private @Nullable Value direction(Element element, @Nullable Element by) {
            return by == null ? input(element) : element.equals(by) ? builder.constant(1) : null;
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

        /** Returns a quotient, which is 0 where the dividend is: the root of a value that is cut off at 0 is flat. */
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
