package dev.jacquard.memory.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BoxTest {
    private static final int SIDE = 12;

    @Test
    void boxesMinusBoxesAreDisjointAndComplete() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            Box all = draw(random);
            Box cut = draw(random);
            List<Box> rest = all.without(cut);
            long elements = all.intersects(cut) ? all.intersection(cut).elements() : 0;
            for (Box box : rest) {
                elements += box.elements();
                assertTrue(all.contains(box) && !box.intersects(cut));
                assertEquals(1, rest.stream().filter(box::intersects).count());
            }
            assertEquals(all.elements(), elements);
        }
    }

    private static Box draw(SplittableRandom random) {
        long row = random.nextInt(SIDE);
        long column = random.nextInt(SIDE);
        return Box.of(
                new long[] {row, column},
                new long[] {row + 1 + random.nextLong(SIDE - row), column + 1 + random.nextLong(SIDE - column)});
    }

    @Test
    void aMarginReachesNoFurtherThanTheLimits() {
        Box limits = Box.of(new long[] {0, 2}, new long[] {10, 12});
        Box box = Box.of(new long[] {3, 4}, new long[] {5, 6});
        assertEquals(Box.of(new long[] {1, 2}, new long[] {7, 8}), box.grow(2, limits));
        assertEquals(limits, box.grow(Long.MAX_VALUE, limits));
    }
}
