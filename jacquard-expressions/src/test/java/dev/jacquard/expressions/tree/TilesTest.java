package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Boxes of points. */
class TilesTest {
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "16, 8, 48", "5, 3, 2", "100, 1, 100", "9, 7, 1000000000", "20, 11, 6"})
    void theyCoverEachPointOnceAndEndWithWholeVectors(int x, int y, int z) {
        Range all = new Range(0, 20, 0, 11, 0, 6);
        for (DataType type : List.of(DataType.FLOAT64, DataType.FLOAT32)) {
            int vector = 64 / type.bytes();
            Tiles tiles = Tiles.of(all, List.of(x, y, z), type);
            int[] times = new int[20 * 11 * 6];
            for (long i = 0; i < tiles.count(); i++) {
                Range part = tiles.rows(i, whole -> whole);
                assertEquals(0, part.x0() % vector);
                assertTrue(part.x1() == 20 || part.x1() % vector == 0, part::toString);
                for (int at = 0; at < times.length; at++) {
                    int px = at % 20;
                    int py = at / 20 % 11;
                    int pz = at / 220;
                    boolean isIn = px >= part.x0()
                            && px < part.x1()
                            && py >= part.y0()
                            && py < part.y1()
                            && pz >= part.z0()
                            && pz < part.z1();
                    times[at] += isIn ? 1 : 0;
                }
            }
            assertTrue(Arrays.stream(times).allMatch(count -> count == 1), () -> Arrays.toString(times));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "64, 1, 524288",
        "64, 2, 131072",
        "300, 6, 524288",
        "300, 6, 131072",
        "4096, 6, 524288",
        "4096, 6, 1048576",
        "10000, 10, 524288",
        "1000000, 3, 524288"
    })
    void blocksOfALoopThatGoesBackToPlanesCoverEachPointOnce(long rowBytes, int planes, long cached) {
        int rows = 500;
        int depth = 41;
        Range all = new Range(0, 4, 0, rows, 0, depth);
        int[] times = new int[rows * depth];
        for (Range block : Tiles.blocks(all, planes, rowBytes, 1 << 10, cached)) {
            long back = planes * rowBytes * (block.y1() - block.y0());
            assertTrue(back <= cached || block.y1() - block.y0() <= 8, block::toString);
            assertEquals(4, block.x1() - block.x0());
            for (int z = block.z0(); z < block.z1(); z++) {
                for (int y = block.y0(); y < block.y1(); y++) {
                    times[z * rows + y]++;
                }
            }
        }
        assertTrue(Arrays.stream(times).allMatch(count -> count == 1), () -> Arrays.toString(times));
    }

    /** A row of 6 planes has 48 KiB: each block has some ten rows, of which joined ones run over what is between. */
    @Test
    void blocksComputeTheBitsOfWholePlanes() {
        Tag<Cell> t = Tag.cell("t");
        Tag<Cell> k = Tag.cell("k");
        Tag<Cell> rate = Tag.cell("rate");
        Grid grid = Grid.of(1_000, 24, 18).ghosts(1);
        Range all = grid.interior(Location.Centring.CELL);
        assertTrue(Arrays.stream(Tiles.blocks(all, 6, 8_200, 1 << 15)).anyMatch(block -> block.y0() > 0));
        ExpressionTree tree = Model.of(grid)
                .source(t, k)
                .define(rate, div(faces(k).times(grad(t))))
                .tree(rate);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(t, (x, y, z) -> x * y + 3 * z);
            fields.set(k, (x, y, z) -> 1 + x * z - y);
            tree.tile(1_000, 24, 18).compile(fields).run();
            double[] expected = fields.values(rate);
            tree.compile(fields).run();
            assertArrayEquals(expected, fields.values(rate));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2000000, 1, 1",
        "2000, 1000, 1",
        "2000, 1, 1000",
        "1000000, 3, 1",
        "300000, 2, 2",
        "70001, 1, 5",
        "7, 3, 1"
    })
    void gridsOfAnyShapeHavePartsForSeveralWorkers(int x, int y, int z) {
        Range all = new Range(0, x, 0, y, 0, z);
        Range[] parts = Tiles.parts(all, 1 << 15);
        assertTrue(parts.length >= Math.min(16, Math.ceilDiv(all.points(), 1 << 15)), () -> parts.length + " parts");
        assertCovers(all, parts);
        Range shifted = new Range(3, x, 0, y, 0, z);
        assertCovers(shifted, Tiles.parts(shifted, 1 << 12));
        assertCovers(all, Tiles.blocks(all, 3, 8L * x, 1 << 15));
    }

    /** Each point is in one part, and pieces of rows end where no vector of 64 bytes goes on. */
    private static void assertCovers(Range all, Range[] parts) {
        BitSet seen = new BitSet();
        for (Range part : parts) {
            assertTrue(part.x1() == all.x1() || part.x1() % 16 == 0, part::toString);
            for (int pz = part.z0(); pz < part.z1(); pz++) {
                for (int py = part.y0(); py < part.y1(); py++) {
                    int row = (pz * all.y1() + py) * all.x1();
                    assertEquals(0, seen.get(row + part.x0(), row + part.x1()).cardinality(), part::toString);
                    seen.set(row + part.x0(), row + part.x1());
                }
            }
        }
        assertEquals(all.points(), seen.cardinality());
    }

    @ParameterizedTest
    @CsvSource({"100003, 1", "40000, 5"})
    void piecesOfRowsComputeTheBitsOfWholeOnes(int x, int y) {
        Tag<Cell> t = Tag.cell("t");
        Tag<Cell> k = Tag.cell("k");
        Tag<Cell> rate = Tag.cell("rate");
        Grid grid = y == 1 ? Grid.of(x).ghosts(1) : Grid.of(x, y).ghosts(1);
        ExpressionTree tree = Model.of(grid)
                .source(t, k)
                .define(rate, div(faces(k).times(grad(t))))
                .tree(rate);
        try (Session session = Session.builder().workers(3).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(t, (px, py, pz) -> Math.sin(100 * px) * (1 + py));
            fields.set(k, (px, py, pz) -> 1 + px);
            (y == 1 ? tree.tile(x) : tree.tile(x, y)).compile(fields).run();
            double[] expected = fields.values(rate);
            tree.compile(fields).run();
            assertArrayEquals(expected, fields.values(rate));
        }
    }

    /** Nothing is gained by parts of planes where no plane is read again, or where all stay in the caches. */
    @Test
    void loopsHaveWholePlanesWhereTheyDoNotGoBack() {
        Range all = new Range(0, 256, 0, 256, 0, 256);
        assertArrayEquals(Tiles.parts(all, 1 << 15), Tiles.blocks(all, 0, 1 << 11, 1 << 15));
        assertArrayEquals(Tiles.parts(all, 1 << 15), Tiles.blocks(all, 6, 1 << 8, 1 << 15));
    }

    @Test
    void planesAreCountedPerInput() {
        BodyBuilder b = new BodyBuilder(DataType.FLOAT64);
        Value sum = b.apply(Operator.ADD, b.input(0, 0, 1, -1), b.input(0, 0, 0, 2)); // four planes
        sum = b.apply(Operator.ADD, sum, b.input(1, 1, 1, 1)); // one plane, read once
        sum = b.apply(Operator.ADD, sum, b.input(2, 0, 0, 0));
        sum = b.apply(Operator.ADD, sum, b.input(2, 0, 0, 1)); // two planes
        assertEquals(6, b.build(3, List.of(sum)).planes());
    }

    /** Joined rows run over what lies between them, which is in other boxes if there are several along x. */
    @Test
    void onlyWholeRowsAreJoined() {
        Range all = new Range(0, 20, 0, 11, 0, 1);
        Range joined = new Range(0, 0, 0, 0, 0, 0);
        assertEquals(joined, Tiles.of(all, List.of(20, 2), DataType.FLOAT64).rows(1, rows -> joined));
        assertEquals(
                new Range(0, 8, 0, 2, 0, 1),
                Tiles.of(all, List.of(8, 2), DataType.FLOAT64).rows(0, rows -> joined));
    }

    @Test
    void wrongSizesAreRefused() {
        Tag<?> tag = Tag.cell("a");
        ExpressionTree tree = Model.of(Grid.of(4, 4))
                .define(Tag.cell("a"), dev.jacquard.expressions.language.Functions.number(1))
                .tree(tag);
        assertThrows(IllegalArgumentException.class, () -> tree.tile(4));
        assertThrows(IllegalArgumentException.class, () -> tree.tile(4, 0));
        tree.tile();
    }
}
