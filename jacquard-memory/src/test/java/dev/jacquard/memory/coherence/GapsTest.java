package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is free in a file. */
class GapsTest {
    private final Gaps gaps = new Gaps();

    @Test
    void neighboursAreJoined() {
        long a = gaps.take(10);
        long b = gaps.take(20);
        long c = gaps.take(30);
        gaps.take(5);
        gaps.give(a, 10);
        gaps.give(c, 30);
        gaps.give(b, 20);
        assertEquals(a, gaps.take(60));
        assertEquals(65, gaps.end());
    }

    @Test
    void theSmallestThatIsLargeEnoughIsTaken() {
        long large = gaps.take(100);
        gaps.take(1);
        long small = gaps.take(12);
        gaps.take(1);
        gaps.give(large, 100);
        gaps.give(small, 12);
        assertEquals(small, gaps.take(10));
        assertEquals(small + 10, gaps.take(2));
        assertEquals(large, gaps.take(40));
    }

    @Test
    void sizesThatNeverComeAgainTakeNoMoreAndMore() {
        for (int size = 1; size < 1_000; size++) {
            gaps.give(gaps.take(size), size);
            assertEquals(0, gaps.end());
        }
    }

    @Test
    void nothingIsGivenTwice() {
        Random random = new Random(1);
        BitSet used = new BitSet();
        List<int[]> taken = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (taken.isEmpty() || (random.nextBoolean() && taken.size() < 50)) {
                int length = 1 + random.nextInt(40);
                int offset = (int) gaps.take(length);
                assertFalse(used.get(offset, offset + length).cardinality() > 0);
                used.set(offset, offset + length);
                taken.add(new int[] {offset, length});
            } else {
                int[] one = taken.remove(random.nextInt(taken.size()));
                used.clear(one[0], one[0] + one[1]);
                gaps.give(one[0], one[1]);
            }
            assertEquals(used.length(), gaps.end());
        }
    }
}
