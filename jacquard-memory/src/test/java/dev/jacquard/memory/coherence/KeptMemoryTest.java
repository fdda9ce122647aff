package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory that is kept for the next of the same size. */
class KeptMemoryTest {
    private final List<String> ended = new ArrayList<>();
    private final KeptMemory<String> kept = new KeptMemory<>(ended::add);

    @Test
    void givesMemoryOfJustTheSizeThatIsAskedFor() {
        kept.give(8, "eight", 100);
        assertNull(kept.take(7));
        assertEquals("eight", kept.take(8));
        assertNull(kept.take(8));
        assertTrue(kept.isEmpty());
    }

    @Test
    void whatWasUsedLongestAgoGoesWhenItIsTooMuch() {
        kept.give(10, "a", 30);
        kept.give(11, "b", 30);
        assertEquals("a", kept.take(10));
        kept.give(10, "a", 30);
        kept.give(12, "c", 30);
        assertEquals(List.of("b"), ended);
        kept.shrink(0);
        assertEquals(List.of("b", "a", "c"), ended);
    }

    @Test
    void manySizesDoNotAddUp() {
        for (int size = 1; size <= 1_000; size++) {
            kept.give(size, "s" + size, 1_000);
        }
        assertEquals(999, ended.size());
        assertEquals("s1000", kept.take(1_000));
    }
}
