package dev.jacquard.expressions.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.testkit.Rounds;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopsTest {
    private static final int BODIES = Rounds.some(450);
    private static final int COMPILED = Rounds.some(12);
    private static final int RUNS = Rounds.some(18);
    private static final double[] PARAMETERS = {0.1, -3};

    private final Loops loops = new Loops();

    @Test
    void blocksAreHalfOfTheCacheOfACoreWithinBounds() {
        assertEquals(1 << 19, Loops.blockBytes(OptionalLong.empty()));
        assertEquals(1 << 19, Loops.blockBytes(OptionalLong.of(1 << 20)));
        assertEquals(768 << 10, Loops.blockBytes(OptionalLong.of(1536 << 10)));
        assertEquals(1 << 17, Loops.blockBytes(OptionalLong.of(1 << 16)));
        assertEquals(1 << 20, Loops.blockBytes(OptionalLong.of(8 << 20)));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT64", "FLOAT32"})
    void allFormsComputeTheBitsOfTheInterpreter(DataType type) {
        compare(RandomBody.special(type), new Range(0, 300, 0, 1, 0, 1), new Random(1), "special numbers");
        for (long seed = 1; seed <= BODIES; seed++) {
            RandomGenerator random = new Random(seed);
            int dimensions = random.nextInt(1, 4);
            LoopBody body = RandomBody.of(random, type, dimensions, random.nextInt(1, 60));
            compare(body, range(random, dimensions), random, "seed " + seed);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 200, 400})
    void largeBodiesComputeTheBitsOfTheInterpreter(int operations) {
        RandomGenerator random = new Random(operations);
        for (DataType type : List.of(DataType.FLOAT64, DataType.FLOAT32)) {
            LoopBody body = RandomBody.of(random, type, 3, operations);
            compare(body, range(random, 3), random, operations + " operations");
        }
    }

    /**
     * Enough points for the JVM to compile the loops while they run: vectors are no objects any more then, by the
     * second compiler.
     */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT64", "FLOAT32"})
    void compiledLoopsComputeTheBitsOfTheInterpreter(DataType type) {
        Range range = new Range(0, 501, 0, 20, 0, 4);
        for (long seed = 1; seed <= COMPILED; seed++) {
            RandomGenerator random = new Random(seed);
            LoopBody body = RandomBody.of(random, type, 3, random.nextInt(10, 40));
            try (Arena arena = Arena.ofConfined()) {
                Fields fields = new Fields(arena, body, type == DataType.FLOAT32, range, random);
                Fields compiled = fields.copy(arena);
                for (int run = 0; run < RUNS; run++) {
                    loops.loop(body, Loops.Form.PLAIN).run(compiled.bind(body), PARAMETERS, range);
                    loops.loop(body, Loops.Form.LANES).run(compiled.bind(body), PARAMETERS, range);
                }
            }
            compare(body, range, random, "seed " + seed);
        }
    }

    private void compare(LoopBody body, Range range, RandomGenerator random, String what) {
        boolean single = body.type() == DataType.FLOAT32;
        try (Arena arena = Arena.ofConfined()) {
            Fields fields = new Fields(arena, body, single, range, random);
            Fields plain = fields.copy(arena);
            Fields lanes = fields.copy(arena);
            Fields checked = fields.copy(arena);
            List<Fields> split = List.of(fields.copy(arena), fields.copy(arena));
            new Interpreter(body).run(fields.bind(body), PARAMETERS, range);
            loops.loop(body, Loops.Form.PLAIN).run(plain.bind(body), PARAMETERS, range);
            assertEquals(
                    "", plain.difference(fields, 1), () -> "plain, " + what + ", " + range + "\n" + Loops.source(body));
            loops.loop(body, Loops.Form.LANES).run(lanes.bind(body), PARAMETERS, range);
            assertEquals(
                    "",
                    lanes.difference(fields, Lanes.count(single)),
                    () -> "lanes, " + what + ", " + range + "\n" + Loops.source(body));
            // as where there is no access to native memory
            LoopClass.of(body, true, true).ifPresent(its -> {
                its.load().run(checked.bind(body), PARAMETERS, range);
                assertEquals(
                        "",
                        checked.difference(fields, Lanes.count(single)),
                        () -> "lanes with checks, " + what + ", " + range + "\n" + Loops.source(body));
            });
            compareSplit(body, range, random.nextInt(1, 6), split, fields, what);
        }
    }

    /** Several loops that take turns row by row compute what one loop does. */
    private static void compareSplit(
            LoopBody body, Range range, int count, List<Fields> copies, Fields fields, String what) {
        boolean single = body.type() == DataType.FLOAT32;
        for (boolean lanes : new boolean[] {false, true}) {
            Fields its = copies.get(lanes ? 1 : 0);
            SplitLoop.of(body, count, lanes).ifPresent(loop -> {
                loop.run(its.bind(body), PARAMETERS, range);
                assertEquals(
                        "",
                        its.difference(fields, lanes ? Lanes.count(single) : 1),
                        () -> count + " parts, lanes " + lanes + ", " + what + ", " + range + "\n"
                                + Loops.source(body));
            });
        }
    }

    private static Range range(RandomGenerator random, int dimensions) {
        int x0 = random.nextInt(3) == 0 ? 16 : 0;
        int y0 = dimensions > 1 ? random.nextInt(2) : 0;
        int z0 = dimensions > 2 ? random.nextInt(2) : 0;
        return new Range(
                x0,
                x0 + random.nextInt(0, 40),
                y0,
                y0 + (dimensions > 1 ? random.nextInt(0, 4) : 1),
                z0,
                z0 + (dimensions > 2 ? random.nextInt(0, 3) : 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT64", "FLOAT32"})
    void indexesFarAwayAreExact(DataType type) {
        BodyBuilder builder = new BodyBuilder(type);
        Value index = builder.index(0);
        LoopBody body = builder.build(0, List.of(index));
        for (int x0 : new int[] {-40, 0, (1 << 24) - 16, 2_000_000_001}) {
            Range range = new Range(x0, x0 + 37, 0, 1, 0, 1);
            compare(body, range, new Random(1), "index");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LANES", "PLAIN", "INTERPRETER"})
    void bodiesAlikeButForConstantsShareALoop(Loops.Form form) {
        LoopBody twice = scaled(2);
        LoopBody thrice = scaled(3);
        Loop shared = loops.loop(twice, form);
        assertSame(shared, loops.loop(thrice, form));
        assertEquals(form == Loops.Form.INTERPRETER ? 0 : 1, loops.classes());
        Range range = new Range(0, 10, 0, 1, 0, 1);
        try (Arena arena = Arena.ofConfined()) {
            Fields fields = new Fields(arena, twice, false, range, new Random(1));
            for (LoopBody body : List.of(twice, thrice)) {
                shared.run(fields.bind(body), new double[] {0.5}, range);
                double expected = fields.get(0, 7, 0, 0) * body.constants()[0] + 0.5;
                assertEquals(expected, fields.get(1, 7, 0, 0), 0);
            }
        }
    }

    private static LoopBody scaled(double factor) {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        Value product = builder.apply(Operator.MULTIPLY, builder.input(0, 0, 0, 0), builder.constant(factor));
        return builder.build(1, List.of(builder.apply(Operator.ADD, product, builder.parameter("shift"))));
    }

    @Test
    void parametersAreNoPartOfTheShapeByName() {
        assertSame(loops.loop(shifted("a"), Loops.Form.PLAIN), loops.loop(shifted("b"), Loops.Form.PLAIN));
        assertNotSame(loops.loop(shifted("a"), Loops.Form.PLAIN), loops.loop(shifted("a"), Loops.Form.LANES));
        assertSame(loops.loop(shifted("a"), Loops.Form.AUTO), loops.loop(shifted("a"), Loops.Form.LANES));
        assertEquals(2, loops.classes());
    }

    private static LoopBody shifted(String name) {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT32);
        return builder.build(
                1, List.of(builder.apply(Operator.ADD, builder.input(0, 0, 0, 0), builder.parameter(name))));
    }

    @ParameterizedTest
    @ValueSource(ints = {3_000, 15_000, 45_000})
    void bodiesTooLongForTheCompilerBecomeSeveralLoops(int operations) {
        LoopBody body = chain(Rounds.some(operations));
        assertInstanceOf(SplitLoop.class, loops.loop(body, Loops.Form.PLAIN));
        assertInstanceOf(SplitLoop.class, loops.loop(body, Loops.Form.AUTO));
        compare(body, new Range(0, 37, 0, 2, 0, 1), new Random(1), "a chain");
    }

    /** The last part reads all of the fields, so that it is as long as the whole. */
    @Test
    void bodiesOfTooManyFieldsAreInterpreted() {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        List<Value> results = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            results.add(builder.input(i, 0, 0, 0));
        }
        assertInstanceOf(Interpreter.class, loops.loop(builder.build(2_000, results), Loops.Form.PLAIN));
        assertEquals(0, loops.classes());
    }

    private static LoopBody chain(int operations) {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        Value input = builder.input(0, 0, 0, 0);
        BinaryOperator<Value> times = (a, b) -> builder.apply(Operator.MULTIPLY, a, b);
        Value value = input;
        for (int i = 0; i < operations; i++) {
            value = times.apply(value, input);
        }
        return builder.build(1, List.of(value));
    }

    @Test
    void loopsThatWereNotAskedForLongestGo() {
        Loop first = loops.loop(chain(1), Loops.Form.PLAIN);
        for (int i = 0; i <= Loops.MOST_LOOPS; i++) {
            loops.loop(
                    chain(i % 500 + 2),
                    i < 500 ? Loops.Form.INTERPRETER : i < 1_000 ? Loops.Form.PLAIN : Loops.Form.LANES);
        }
        assertNotSame(first, loops.loop(chain(1), Loops.Form.PLAIN));
    }

    @Test
    void theSourceNamesEachValue() {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        Value left = builder.input(0, -1, 0, 2);
        Value scaled = builder.apply(Operator.MULTIPLY, left, builder.parameter("dt"));
        Value row = builder.apply(Operator.ADD, builder.index(1), builder.constant(0.5));
        LoopBody body = builder.build(1, List.of(builder.apply(Operator.MAX, scaled, row)));
        assertEquals("""
                double v1 = parameter("dt");
                double v4 = 0.5;
                for (int z = z0; z < z1; z++) {
                    for (int y = y0; y < y1; y++) {
                        double v3 = y;
                        double v5 = v3 + v4;
                        for (int x = x0; x < x1; x++) {
                            double v0 = in0[x - 1, y, z + 2];
                            double v2 = v0 * v1;
                            double v6 = max(v2, v5);
                            out0[x, y, z] = v6;
                        }
                    }
                }
                """, Loops.source(body));
    }

    @Test
    void aBodyWithoutInputsWritesItsConstants() {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        LoopBody body = builder.build(0, List.of(builder.constant(-0.0), builder.index(2)));
        compare(body, new Range(0, 9, 0, 2, 0, 2), new Random(1), "constants");
        assertTrue(Loops.hasLanes());
        assertNotEquals(0, loops.classes());
    }
}
