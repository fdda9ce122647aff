package dev.jacquard.expressions.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.RowCache;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.testkit.Rounds;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Loops that keep what neighbours share compute what the interpreter does, which computes it again for each. */
class RowCacheLoopTest {
    private static final int BODIES = Rounds.some(200);
    private static final double[] PARAMETERS = {0.1, -3};

    private final Loops loops = new Loops();

    /** A value at a distance from the point. */
    @FunctionalInterface
    private interface Shifted {
        Value at(int dx, int dy, int dz);
    }

    /** Returns the right side of Cahn and Hilliard's equation. */
    static LoopBody stencilOfAStencil(int dimensions) {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        Shifted field = (dx, dy, dz) -> builder.input(0, dx, dy, dz);
        Shifted potential = (dx, dy, dz) -> {
            Value its = field.at(dx, dy, dz);
            Value cube = builder.apply(Operator.MULTIPLY, builder.apply(Operator.MULTIPLY, its, its), its);
            Value chemical = builder.apply(Operator.SUBTRACT, cube, its);
            return builder.apply(Operator.SUBTRACT, chemical, laplacian(builder, field, dimensions, dx, dy, dz));
        };
        return builder.build(1, List.of(laplacian(builder, potential, dimensions, 0, 0, 0)));
    }

    private static Value laplacian(BodyBuilder builder, Shifted of, int dimensions, int dx, int dy, int dz) {
        Value sum = builder.apply(Operator.ADD, of.at(dx - 1, dy, dz), of.at(dx + 1, dy, dz));
        if (dimensions > 1) {
            sum = builder.apply(Operator.ADD, sum, of.at(dx, dy - 1, dz));
            sum = builder.apply(Operator.ADD, sum, of.at(dx, dy + 1, dz));
        }
        if (dimensions > 2) {
            sum = builder.apply(Operator.ADD, sum, of.at(dx, dy, dz - 1));
            sum = builder.apply(Operator.ADD, sum, of.at(dx, dy, dz + 1));
        }
        Value middle = builder.apply(Operator.MULTIPLY, of.at(dx, dy, dz), builder.constant(2 * dimensions));
        return builder.apply(Operator.SUBTRACT, sum, middle);
    }

    @Test
    void aStencilOfAStencilIsComputedInTwoSteps() {
        RowCache cache = RowCache.of(stencilOfAStencil(2)).orElseThrow();
        assertEquals(1, cache.stages().size());
        RowCache.Stage stage = cache.stages().getFirst();
        assertEquals(List.of(-1, -1, 0), stage.low());
        assertEquals(List.of(1, 1, 0), stage.high());
        assertEquals(5, inputs(stage.body()));
        assertEquals(5, inputs(cache.rest()));
    }

    private static long inputs(LoopBody body) {
        return body.values().stream()
                .filter(value -> value.operator() == Operator.INPUT)
                .count();
    }

    @Test
    void aStencilOfAFieldStaysWhole() {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        LoopBody body =
                builder.build(1, List.of(laplacian(builder, (dx, dy, dz) -> builder.input(0, dx, dy, dz), 2, 0, 0, 0)));
        assertTrue(RowCache.of(body).isEmpty());
    }

    @Test
    void whatDependsOnTheIndexOfThePointIsComputedAgain() {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        Shifted field = (dx, dy, dz) -> {
            Value index = builder.apply(Operator.ADD, builder.index(0), builder.constant(dx));
            Value its = builder.apply(Operator.MULTIPLY, index, builder.input(0, dx, dy, dz));
            return builder.apply(Operator.SQRT, builder.apply(Operator.DIVIDE, its, its));
        };
        assertTrue(RowCache.of(builder.build(1, List.of(laplacian(builder, field, 2, 0, 0, 0))))
                .isEmpty());
    }

    /** Rows longer than a box, boxes that slide along y, and both ends of vectors. */
    @Test
    void longRowsAndManyComputeTheSame() {
        LoopBody body = stencilOfAStencil(2);
        RandomGenerator random = new Random(4);
        compare(body, new Range(0, 4_105, 0, 70, 0, 1), random, "long rows");
        compare(body, new Range(3, 2_050, 1, 40, 0, 1), random, "rows that do not begin at 0");
        compare(body, new Range(0, 60, 0, 19, 0, 17), random, "planes");
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT64", "FLOAT32"})
    void bodiesWithSharedValuesComputeTheBitsOfTheInterpreter(DataType type) {
        int kept = 0;
        for (long seed = 1; seed <= BODIES; seed++) {
            RandomGenerator random = new Random(seed);
            int dimensions = random.nextInt(1, 4);
            LoopBody body = shared(random, type, dimensions);
            int x = random.nextInt(1, 70);
            Range range = new Range(
                    0,
                    x,
                    dimensions > 1 ? random.nextInt(3) : 0,
                    dimensions > 1 ? random.nextInt(3, 40) : 1,
                    0,
                    dimensions > 2 ? random.nextInt(1, 30) : 1);
            kept += compare(body, range, random, "seed " + seed);
        }
        assertTrue(kept > BODIES / 3, kept + " of " + BODIES);
    }

    /** Returns a body of one or two expressions at several distances each, all in one sum. */
    private static LoopBody shared(RandomGenerator random, DataType type, int dimensions) {
        BodyBuilder builder = new BodyBuilder(type);
        List<Value> results = new ArrayList<>(List.of(builder.input(1, 0, 0, 0)));
        int count = random.nextInt(1, 3);
        for (int i = 0; i < count; i++) {
            long seed = random.nextLong();
            int operations = random.nextInt(3, 12);
            int places = random.nextInt(2, 6);
            for (int place = 0; place < places; place++) {
                int dx = random.nextInt(-1, 2);
                int dy = dimensions > 1 ? random.nextInt(-1, 2) : 0;
                int dz = dimensions > 2 ? random.nextInt(-1, 2) : 0;
                Shifted field = (x, y, z) -> builder.input(
                        (int) (seed & 1), dx + x, dimensions > 1 ? dy + y : 0, dimensions > 2 ? dz + z : 0);
                Value its = value(builder, new Random(seed), field, operations);
                results.add(builder.apply(Operator.ADD, results.getLast(), its));
            }
        }
        return builder.build(
                2,
                random.nextBoolean()
                        ? List.of(results.getLast())
                        : results.reversed().subList(0, 2));
    }

    private static Value value(BodyBuilder builder, RandomGenerator random, Shifted field, int operations) {
        List<Value> values = new ArrayList<>(List.of(field.at(0, 0, 0)));
        for (int i = 0; i < operations; i++) {
            Value one = values.getLast();
            Value other = values.get(random.nextInt(values.size()));
            values.add(
                    switch (random.nextInt(6)) {
                        case 0 -> builder.apply(Operator.ADD, one, other);
                        case 1 -> builder.apply(Operator.MULTIPLY, one, builder.parameter("p" + random.nextInt(2)));
                        case 2 -> builder.apply(Operator.DIVIDE, other, one);
                        case 3 ->
                            builder.apply(
                                    Operator.SUBTRACT,
                                    one,
                                    field.at(random.nextInt(-1, 2), random.nextInt(-1, 2), random.nextInt(-1, 2)));
                        case 4 -> builder.apply(Operator.SELECT, builder.apply(Operator.LESS, one, other), other, one);
                        default -> builder.apply(Operator.MAX, one, builder.constant(random.nextInt(3)));
                    });
        }
        return values.getLast();
    }

    /** Returns 1 if the loop keeps values; else 0. */
    private int compare(LoopBody body, Range range, RandomGenerator random, String what) {
        boolean single = body.type() == DataType.FLOAT32;
        boolean keeps = RowCache.of(body).isPresent();
        try (Arena arena = Arena.ofShared()) {
            Fields fields = new Fields(arena, body, single, range, random);
            new Interpreter(body).run(fields.bind(body), PARAMETERS, range);
            for (Loops.Form form : List.of(Loops.Form.PLAIN, Loops.Form.LANES)) {
                Loop loop = loops.loop(body, form);
                if (keeps) {
                    assertInstanceOf(RowCacheLoop.class, loop);
                }
                for (int run = 0; run < 2; run++) { // the second one finds memory of the first
                    Fields its = fields.copy(arena);
                    loop.run(its.bind(body), PARAMETERS, range);
                    int lanes = form == Loops.Form.LANES ? Lanes.count(single) : 1;
                    assertEquals(
                            "",
                            its.difference(fields, lanes),
                            () -> form + ", " + what + ", " + range + "\n" + Loops.source(body));
                }
            }
        }
        return keeps ? 1 : 0;
    }
}
