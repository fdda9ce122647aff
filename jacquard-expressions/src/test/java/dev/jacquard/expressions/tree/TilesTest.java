package dev.jacquard.expressions.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.ElementType;
import java.util.Arrays;
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
        for (ElementType type : List.of(ElementType.FLOAT64, ElementType.FLOAT32)) {
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

    /** Joined rows run over what lies between them, which is in other boxes if there are several along x. */
    @Test
    void onlyWholeRowsAreJoined() {
        Range all = new Range(0, 20, 0, 11, 0, 1);
        Range joined = new Range(0, 0, 0, 0, 0, 0);
        assertEquals(joined, Tiles.of(all, List.of(20, 2), ElementType.FLOAT64).rows(1, rows -> joined));
        assertEquals(
                new Range(0, 8, 0, 2, 0, 1),
                Tiles.of(all, List.of(8, 2), ElementType.FLOAT64).rows(0, rows -> joined));
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
