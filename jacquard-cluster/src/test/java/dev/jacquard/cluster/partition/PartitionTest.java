package dev.jacquard.cluster.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PartitionTest {
    private static final WeightedGraph PATH = WeightedGraph.builder(4)
            .weight(0, 5)
            .edge(0, 1, 10)
            .edge(1, 2, 20)
            .edge(2, 3, 30)
            .build();

    private static Partition of(int... partOf) {
        return Partition.of(PATH, 3, partOf);
    }

    @Test
    void loadsAndCutAreCounted() {
        Partition partition = of(0, 2, 2, 0);
        assertEquals(3, partition.parts());
        assertEquals(4, partition.vertices());
        assertEquals(6, partition.load(0));
        assertEquals(0, partition.load(1));
        assertEquals(2, partition.load(2));
        assertEquals(6, partition.heaviest());
        assertEquals(40, partition.cut());
        assertEquals(1, partition.emptyParts());
        assertEquals(2, partition.part(1));
    }

    @Test
    void theLighterHeaviestPartIsBetterThenTheSmallerCut() {
        assertTrue(of(0, 1, 2, 1).isBetterThan(of(0, 0, 0, 0)), "balance before cut");
        assertTrue(of(0, 1, 1, 1).isBetterThan(of(0, 1, 2, 1)), "cut where balance is equal");
        assertFalse(of(0, 1, 1, 1).isBetterThan(of(1, 0, 0, 0)), "equal");
    }

    @Test
    void wrongPartsAreRefused() {
        assertMessage(
                "vertex 2 is in part 3; expected one from 0 to 2",
                assertThrows(IllegalArgumentException.class, () -> of(0, 1, 3, 0)));
        assertMessage(
                "there are parts for 2 vertices; expected them for 4",
                assertThrows(IllegalArgumentException.class, () -> of(0, 1)));
        assertMessage(
                "cannot be cut into 0 parts",
                assertThrows(IllegalArgumentException.class, () -> Partition.of(PATH, 0, new int[4])));
    }

    private static void assertMessage(String part, Exception e) {
        assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
}
