package dev.jacquard.expressions.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loops that access memory without checks inside refuse what is not in it before they begin. */
class LaneLoopTest {
    private static final double[] NONE = {};
    private static final LoopBody SUM = sum();
    private static final int LANES = Lanes.count(false);
    private static final int ROW = 2 * LANES;
    /** A layer of ghosts around three rows of two vectors, and a vector on both sides of each. */
    private static final long STRIDE = 8L * (ROW + 2 * LANES);

    private static final long START = STRIDE + 8L * LANES;
    private static final Range ROWS = new Range(0, ROW, 0, 3, 0, 1);

    private final Loop loop = new Loops().loop(SUM, Loops.Form.LANES);

    /** The sum of the neighbours along x and y. */
    private static LoopBody sum() {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        var alongX = builder.apply(Operator.ADD, builder.input(0, -1, 0, 0), builder.input(0, 1, 0, 0));
        var alongY = builder.apply(Operator.ADD, builder.input(0, 0, -1, 0), builder.input(0, 0, 1, 0));
        return builder.build(1, List.of(builder.apply(Operator.ADD, alongX, alongY)));
    }

    private static MemorySegment memory(Arena arena) {
        return arena.allocate(5 * STRIDE, 64);
    }

    private static Binding bind(MemorySegment input, MemorySegment output) {
        return new Binding(SUM, List.of(place(input), place(output)));
    }

    private static Binding.Place place(MemorySegment segment) {
        return new Binding.Place(segment, START, STRIDE, 0);
    }

    @Test
    void loopsInLanesHaveNoChecksInside() {
        assertInstanceOf(LaneLoop.class, loop);
    }

    /** The last element behind, or before the first. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0, 3", "1, 0, 0, 3", "0, 1, 0, 3", "0, 0, -1, 3", "0, 0, 0, 4", "0, 0, 1, 4"})
    void whatIsOutsideIsNotAccessed(int before, int behind, int y0, int y1) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment input = memory(arena);
            MemorySegment output = memory(arena);
            // the elements that are read begin one row and one element before, and end as far behind
            long from = before == 0 ? 0 : 8L * LANES + 8;
            long to = behind == 0 ? input.byteSize() : input.byteSize() - 8L * LANES - 8;
            Binding binding = new Binding(
                    SUM,
                    List.of(new Binding.Place(input.asSlice(from, to - from), START - from, STRIDE, 0), place(output)));
            Range range = new Range(0, ROW, y0, y1, 0, 1);
            if (before + behind == 0 && y0 == 0 && y1 == 3) {
                loop.run(binding, NONE, range);
            } else {
                assertThrows(IndexOutOfBoundsException.class, () -> loop.run(binding, NONE, range));
            }
            loop.run(bind(input, output), NONE, ROWS);
        }
    }

    /** A row whose last vector would end behind the memory. */
    @Test
    void theWholeOfTheLastVectorIsInside() {
        try (Arena arena = Arena.ofConfined()) {
            Binding binding = bind(memory(arena), memory(arena).asSlice(0, START + 2 * STRIDE + 8L * (ROW - 1)));
            loop.run(binding, NONE, new Range(0, ROW - LANES, 0, 3, 0, 1));
            Range overlong = new Range(0, ROW - LANES + 1, 0, 3, 0, 1);
            var thrown = assertThrows(IndexOutOfBoundsException.class, () -> loop.run(binding, NONE, overlong));
            long end = START + 2 * STRIDE + 8L * ROW;
            assertEquals(
                    "a loop over " + overlong + " accesses bytes " + START + " to " + end + " of output 0, which has "
                            + (end - 8),
                    thrown.getMessage());
        }
    }

    @Test
    void nothingIsAccessedWhereThereAreNoPoints() {
        try (Arena arena = Arena.ofConfined()) {
            Binding binding = bind(memory(arena), memory(arena));
            loop.run(binding, NONE, new Range(100, 99, -50, 50, 0, 1));
            loop.run(binding, NONE, new Range(0, 1_000_000, 7, 7, 0, 1));
        }
    }

    @Test
    void freedMemoryIsRefused() {
        Arena arena = Arena.ofShared();
        Binding binding = bind(memory(arena), memory(arena));
        loop.run(binding, NONE, ROWS);
        arena.close();
        var thrown = assertThrows(IllegalStateException.class, () -> loop.run(binding, NONE, ROWS));
        assertEquals("input 0 of a loop is in memory that was freed", thrown.getMessage());
    }

    @Test
    void memoryOfAnotherThreadIsRefused() {
        try (Arena arena = Arena.ofConfined()) {
            Binding binding = bind(memory(arena), memory(arena));
            loop.run(binding, NONE, ROWS);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread other = Thread.ofPlatform().start(() -> {
                try {
                    loop.run(binding, NONE, ROWS);
                } catch (RuntimeException e) {
                    thrown.set(e);
                }
            });
            Watchdog.until(() -> !other.isAlive(), "the other thread");
            assertInstanceOf(WrongThreadException.class, thrown.get());
        }
    }

    @Test
    void memoryOnTheHeapAndReadOnlyOutputsAreRefused() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment heap = MemorySegment.ofArray(new double[(int) (5 * STRIDE / 8)]);
            var thrown =
                    assertThrows(IllegalArgumentException.class, () -> loop.run(bind(memory(arena), heap), NONE, ROWS));
            assertEquals("output 0 of a loop in lanes is on the heap", thrown.getMessage());
            thrown = assertThrows(
                    IllegalArgumentException.class,
                    () -> loop.run(bind(memory(arena), memory(arena).asReadOnly()), NONE, ROWS));
            assertEquals("output 0 of a loop in lanes is read-only", thrown.getMessage());
            loop.run(bind(memory(arena).asReadOnly(), memory(arena)), NONE, ROWS);
        }
    }

    /** The number of their points is no int. */
    @ParameterizedTest
    @CsvSource({"-2000000000, 2000000000, 0, 1", "0, 16, -2000000000, 2000000000"})
    void rangesOfMorePointsThanAnIntAreOutside(int x0, int x1, int y0, int y1) {
        try (Arena arena = Arena.ofConfined()) {
            Binding binding = bind(memory(arena), memory(arena));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> loop.run(binding, NONE, new Range(x0, x1, y0, y1, 0, 1)));
        }
    }

    /** Such rows have a gibibyte: nothing is touched here. */
    @Test
    void longRowsAreComputedInParts() {
        LoopBody body = SUM;
        long most = LaneLoop.MOST_POINTS;
        int points = (int) (2 * most + 3);
        MemorySegment all = MemorySegment.ofAddress(1 << 20).reinterpret(8 * (points + 100L) + 2 * STRIDE);
        List<Range> parts = new ArrayList<>();
        LaneLoop parted = new LaneLoop() {
            @Override
            void compute(Binding fields, double[] parameters, Range range) {
                parts.add(range);
            }
        };
        parted.run(new Binding(body, List.of(place(all), place(all))), NONE, new Range(8, points, 0, 1, 0, 1));
        assertEquals(
                List.of(
                        new Range(8, (int) most + 8, 0, 1, 0, 1),
                        new Range((int) most + 8, (int) (2 * most + 3), 0, 1, 0, 1)),
                parts);
    }
}
