package dev.jacquard.expressions.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.testkit.Rounds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Functions of the language are as near to those of {@link StrictMath} as they promise. */
class ExpansionsTest {
    private static final int SAMPLES = Rounds.some(60_000);
    private static final double MOST_ULPS = 2;

    private static final double[] SPECIAL = {
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        -0.5,
        2,
        -2,
        3,
        -3,
        1e-310,
        -1e-310,
        Double.MIN_VALUE,
        Double.MIN_NORMAL,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN,
        709.5,
        709.782712893384,
        709.79,
        -745.13,
        -745.14,
        -708.4,
        88.72,
        88.73,
        -87.4,
        -103.9,
        -104,
        Math.PI,
        Math.PI / 2,
        Math.PI / 4,
        3 * Math.PI / 4,
        1e5,
        -1e5,
        0.625,
        -0.625,
        0.6249,
        20,
        -20,
        Math.E,
        Math.sqrt(0.5),
        Math.sqrt(2)
    };

    enum Type {
        FLOAT64,
        FLOAT32
    }

    @ParameterizedTest
    @EnumSource
    void exponential(Type type) {
        check(type, Expansions::exp, StrictMath::exp, -760, 720);
        check(type, Expansions::exp, StrictMath::exp, -1, 1);
        check(type, Expansions::exp, StrictMath::exp, -110, 95);
    }

    @ParameterizedTest
    @EnumSource
    void logarithm(Type type) {
        check(type, Expansions::log, StrictMath::log, 0, 10);
        check(type, Expansions::log, StrictMath::log, 0.9, 1.1);
        check(type, Expansions::log, StrictMath::log, 0, 1e300);
        check(type, Expansions::log, StrictMath::log, 0, 1e-307);
    }

    @ParameterizedTest
    @EnumSource
    void sine(Type type) {
        double most = type == Type.FLOAT64 ? 0x1p47 : 0x1p18;
        for (double range : new double[] {1, 10, 1e4, most / 1000, most}) {
            check(type, Expansions::sin, x -> Math.abs(x) > most ? Double.NaN : StrictMath.sin(x), -range, range);
        }
        quarters(type, Expansions::sin, StrictMath::sin);
    }

    @ParameterizedTest
    @EnumSource
    void cosine(Type type) {
        double most = type == Type.FLOAT64 ? 0x1p47 : 0x1p18;
        for (double range : new double[] {1, 10, 1e4, most / 1000, most}) {
            check(type, Expansions::cos, x -> Math.abs(x) > most ? Double.NaN : StrictMath.cos(x), -range, range);
        }
        quarters(type, Expansions::cos, StrictMath::cos);
    }

    /** Arguments near multiples of a quarter of a turn, where most digits cancel. */
    private static void quarters(Type type, BiFunction<Expansions, Value, Value> made, DoubleUnaryOperator exact) {
        double[] samples = new double[SAMPLES];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (type == Type.FLOAT32 ? i / 2 : i) * Math.PI / 2;
        }
        check(type, made, exact, samples);
    }

    @ParameterizedTest
    @EnumSource
    void hyperbolicTangent(Type type) {
        check(type, Expansions::tanh, StrictMath::tanh, -1, 1);
        check(type, Expansions::tanh, StrictMath::tanh, -25, 25);
        check(type, Expansions::tanh, StrictMath::tanh, -1e-8, 1e-8);
    }

    @ParameterizedTest
    @EnumSource
    void powers(Type type) {
        RandomGenerator random = random();
        double[] bases = new double[SAMPLES];
        double[] exponents = new double[SAMPLES];
        for (int i = 0; i < SAMPLES; i++) {
            int kind = i % 5;
            bases[i] = kind == 0
                    ? random.nextDouble(0, 3)
                    : kind == 1
                            ? random.nextDouble(-10, 10)
                            : kind == 2
                                    ? Math.exp(random.nextDouble(-80, 80))
                                    : kind == 3 ? random.nextDouble(0.99, 1.01) : special(random);
            exponents[i] = kind == 1
                    ? random.nextInt(-20, 20)
                    : kind == 3
                            ? random.nextDouble(-1e4, 1e4)
                            : kind == 4 ? special(random) : random.nextDouble(-10, 10);
        }
        check(type, bases, exponents);
        for (double constant : new double[] {-4, -3, -2, -1, 0, 1, 2, 3, 4}) {
            check(type, bases, constant);
        }
    }

    private static double special(RandomGenerator random) {
        return SPECIAL[random.nextInt(SPECIAL.length)];
    }

    private static RandomGenerator random() {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(42);
    }

    private static void check(
            Type type, BiFunction<Expansions, Value, Value> made, DoubleUnaryOperator exact, double from, double to) {
        RandomGenerator random = random();
        double[] samples = random.doubles(SAMPLES, from, to).toArray();
        System.arraycopy(SPECIAL, 0, samples, 0, SPECIAL.length);
        check(type, made, exact, samples);
    }

    private static void check(
            Type type, BiFunction<Expansions, Value, Value> made, DoubleUnaryOperator exact, double[] samples) {
        BodyBuilder builder = new BodyBuilder(DataType.valueOf(type.name()));
        Value result = made.apply(new Expansions(builder), builder.input(0, 0, 0, 0));
        compare(type, builder.build(1, List.of(result)), samples, samples, (x, y) -> exact.applyAsDouble(x));
    }

    private static void check(Type type, double[] bases, double[] exponents) {
        BodyBuilder builder = new BodyBuilder(DataType.valueOf(type.name()));
        Value result = new Expansions(builder).pow(builder.input(0, 0, 0, 0), builder.input(1, 0, 0, 0));
        compare(type, builder.build(2, List.of(result)), bases, exponents, StrictMath::pow);
    }

    private static void check(Type type, double[] bases, double exponent) {
        BodyBuilder builder = new BodyBuilder(DataType.valueOf(type.name()));
        Value result = new Expansions(builder).pow(builder.input(0, 0, 0, 0), builder.constant(exponent));
        compare(type, builder.build(1, List.of(result)), bases, bases, (x, y) -> StrictMath.pow(x, exponent));
    }

    private static void compare(Type type, LoopBody body, double[] first, double[] second, DoubleBinaryOperator exact) {
        boolean single = type == Type.FLOAT32;
        int count = first.length;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment[] memory = new MemorySegment[body.inputs() + 1];
            for (int i = 0; i < memory.length; i++) {
                memory[i] = arena.allocate(8L * count, 64);
            }
            for (int i = 0; i < count; i++) {
                set(single, memory[0], i, first[i]);
                if (body.inputs() > 1) {
                    set(single, memory[1], i, second[i]);
                }
            }
            List<Binding.Place> places = Arrays.stream(memory)
                    .map(segment -> new Binding.Place(segment, 0, 0, 0))
                    .toList();
            new Loops()
                    .loop(body, Loops.Form.INTERPRETER)
                    .run(new Binding(body, places), new double[0], new Range(0, count, 0, 1, 0, 1));
            double worst = 0;
            for (int i = 0; i < count; i++) {
                double x = single ? (float) first[i] : first[i];
                double y = single ? (float) second[i] : second[i];
                double expected = exact.applyAsDouble(x, y);
                double nearest = single ? (float) expected : expected;
                double found = single
                        ? memory[memory.length - 1].getAtIndex(ValueLayout.JAVA_FLOAT, i)
                        : memory[memory.length - 1].getAtIndex(ValueLayout.JAVA_DOUBLE, i);
                if (Double.isNaN(nearest) || Double.isInfinite(nearest) || nearest == 0) {
                    double ulp = single ? Float.MIN_VALUE : Double.MIN_VALUE;
                    boolean isTiny = nearest == 0 && expected != 0 && Math.abs(found) <= 2 * ulp;
                    if (!isTiny) {
                        assertEquals(nearest, found, "of " + x + ", " + y);
                    }
                } else {
                    double ulp = single ? Math.ulp((float) nearest) : Math.ulp(nearest);
                    double error = Math.abs(found - nearest) / ulp;
                    assertTrue(error <= MOST_ULPS, () -> found + " for " + nearest + " of " + x + ", " + y);
                    worst = Math.max(worst, error);
                }
            }
        }
    }

    private static void set(boolean single, MemorySegment memory, int index, double value) {
        if (single) {
            memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
        } else {
            memory.setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
        }
    }
}
