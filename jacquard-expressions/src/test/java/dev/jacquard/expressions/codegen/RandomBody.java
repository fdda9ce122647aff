package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Bodies of random operations, each of which may use any value before it. */
final class RandomBody {
    static final int INPUTS = 3;
    static final int PARAMETERS = 2;

    private final RandomGenerator random;
    private final BodyBuilder builder;
    private final boolean single;
    private final int dimensions;
    private final List<Value> reals = new ArrayList<>();
    private final List<Value> integers = new ArrayList<>();
    private final List<Value> conditions = new ArrayList<>();

    private RandomBody(RandomGenerator random, DataType type, int dimensions) {
        this.random = random;
        this.builder = new BodyBuilder(type);
        this.single = type == DataType.FLOAT32;
        this.dimensions = dimensions;
    }

    static LoopBody of(RandomGenerator random, DataType type, int dimensions, int operations) {
        return new RandomBody(random, type, dimensions).body(operations);
    }

    /** Returns the operations that languages leave open for zeros and for NaN, each with such numbers. */
    static LoopBody special(DataType type) {
        BodyBuilder builder = new BodyBuilder(type);
        Value input = builder.input(0, 0, 0, 0);
        List<Value> results = new ArrayList<>();
        for (double number : new double[] {0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY}) {
            Value constant = builder.constant(number);
            for (Operator operator : List.of(Operator.MIN, Operator.MAX)) {
                results.add(builder.apply(operator, input, constant));
                results.add(builder.apply(operator, constant, input));
            }
            for (Operator operator : List.of(Operator.LESS, Operator.AT_MOST, Operator.EQUAL)) {
                Value holds = builder.apply(operator, input, constant);
                results.add(builder.apply(Operator.SELECT, holds, input, builder.constant(2)));
            }
        }
        for (Operator operator : List.of(Operator.NEGATE, Operator.ABS, Operator.SQRT)) {
            results.add(builder.apply(operator, input));
        }
        return builder.build(INPUTS, results);
    }

    private LoopBody body(int operations) {
        reals.add(builder.input(random.nextInt(INPUTS), 0, 0, 0));
        integers.add(builder.integer(random.nextLong()));
        conditions.add(builder.apply(Operator.LESS, reals.getFirst(), builder.constant(0.5)));
        for (int i = 0; i < operations; i++) {
            Operator[] all = Operator.values();
            Operator operator = all[random.nextInt(all.length)];
            Value made = make(operator);
            switch (made.kind()) {
                case REAL -> reals.add(made);
                case INTEGER -> integers.add(made);
                case CONDITION -> conditions.add(made);
            }
        }
        List<Value> results = new ArrayList<>();
        int count = random.nextInt(1, 4);
        for (int i = 0; i < count; i++) {
            results.add(reals.get(
                    random.nextInt(4) == 0 ? random.nextInt(reals.size()) : Math.max(0, reals.size() - 1 - i)));
        }
        return builder.build(INPUTS, results);
    }

    private Value make(Operator operator) {
        return switch (operator) {
            case INPUT -> builder.input(random.nextInt(INPUTS), away(0), away(1), away(2));
            case CONSTANT -> builder.constant(Fields.value(random));
            case PARAMETER -> builder.parameter("p" + random.nextInt(PARAMETERS));
            case INDEX -> builder.index(random.nextInt(3));
            case INTEGER -> builder.integer(random.nextBoolean() ? random.nextLong() : random.nextInt(-5, 70));
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, MIN, MAX, LESS, AT_MOST, EQUAL ->
                builder.apply(operator, any(reals), any(reals));
            case NEGATE, ABS, SQRT -> builder.apply(operator, any(reals));
            case AND, OR -> builder.apply(operator, any(conditions), any(conditions));
            case NOT -> builder.apply(operator, any(conditions));
            case SELECT -> builder.apply(operator, any(conditions), any(reals), any(reals));
            case BITS -> bits();
            case FROM_BITS -> builder.apply(operator, any(integers));
            case ADD_INTEGERS, SUBTRACT_INTEGERS, AND_BITS, OR_BITS ->
                builder.apply(operator, any(integers), any(integers));
            case SHIFT_LEFT, SHIFT_RIGHT ->
                builder.apply(operator, any(integers), builder.integer(random.nextInt(single ? 32 : 64)));
        };
    }

    /** Returns the bits of a real that is no NaN, since those of NaN differ. */
    private Value bits() {
        Value real = any(reals);
        Value number = builder.apply(Operator.EQUAL, real, real);
        Value guarded = builder.apply(Operator.SELECT, number, real, builder.constant(1.5));
        return builder.apply(Operator.BITS, guarded);
    }

    private int away(int axis) {
        return axis < dimensions ? random.nextInt(-2, 3) : 0;
    }

    /** Returns one of the values, the later ones more often. */
    private Value any(List<Value> values) {
        int size = values.size();
        return values.get(random.nextBoolean() ? random.nextInt(size) : Math.max(0, size - 1 - random.nextInt(4)));
    }
}
