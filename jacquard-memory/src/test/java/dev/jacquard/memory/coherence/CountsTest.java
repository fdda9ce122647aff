package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CountsTest {
    private final Counts counts = new Counts();

    private void add(String data, String from, String to) {
        Counts.Sum one = new Counts.Sum();
        one.copies = 1;
        one.bytes = 10;
        counts.add(data, from, to, one);
    }

    private List<Transfers.Moved> of(String data) {
        return counts.data().stream().filter(moved -> moved.data().equals(data)).toList();
    }

    @Test
    void theDataCopiedLastIsCountedByItselfHoweverMuchThereWas() {
        for (int i = 0; i < 20_000; i++) {
            add("tile " + i, "host", "gpu");
            add("field", "gpu", "host");
        }
        assertEquals(List.of(new Transfers.Moved("tile 19999", "host", "gpu", 1, 10)), of("tile 19999"));
        assertEquals(List.of(new Transfers.Moved("field", "gpu", "host", 20_000, 200_000)), of("field"));
        assertEquals(List.of(), of("tile 0"));
        assertTrue(counts.data().size() < 5_000);
        assertEquals(
                40_000,
                counts.data().stream().mapToLong(Transfers.Moved::copies).sum());
    }
}
