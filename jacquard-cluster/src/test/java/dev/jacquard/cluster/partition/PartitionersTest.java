package dev.jacquard.cluster.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.cluster.testing.Graphs;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitionersTest {
    private static final WeightedGraph PATH = Graphs.grid(40);

    private record Fixed(int... partOf) implements Partitioner {
        @Override
        public String name() {
            return "fixed";
        }

        @Override
        public Optional<int[]> partition(WeightedGraph graph, int parts) {
            return Optional.of(partOf.clone());
        }
    }

    private static int[] blocks(int length) {
        int[] partOf = new int[40];
        for (int vertex = 0; vertex < 40; vertex++) {
            partOf[vertex] = vertex < length ? 1 : 0;
        }
        return partOf;
    }

    @Test
    void partsAreNumberedByTheirFirstVertices() {
        Partition best = Partitioners.best(PATH, 4);
        assertEquals(0, best.part(0));
        assertEquals(3, best.cut());
        assertEquals(3, best.part(39));
    }

    /** Ours does not cut 200 for a heaviest part that is lighter by half a thousandth. */
    @Test
    void theOneWithTheLightestHeaviestPartIsTaken() {
        WeightedGraph graph = WeightedGraph.builder(4)
                .weight(0, 600_000)
                .weight(1, 400_500)
                .weight(2, 599_500)
                .weight(3, 400_000)
                .edge(0, 1, 100)
                .edge(1, 2, 1)
                .edge(2, 3, 100)
                .build();
        assertArrayEquals(
                new int[] {0, 0, 1, 1}, Partitioners.best(graph, 2, List.of()).toArray());
        Partition best = Partitioners.best(graph, 2, List.of(new Fixed(0, 0, 1, 1), new Fixed(1, 0, 0, 1)));
        assertArrayEquals(new int[] {0, 1, 1, 0}, best.toArray());
        assertArrayEquals(
                new int[] {0, 0, 1, 1},
                Partitioners.best(graph, 2, List.of(new Fixed(0, 1, 0, 1))).toArray());
    }

    @Test
    void unusableOnesAreNotTaken() {
        int[] outside = blocks(20);
        outside[7] = 2;
        Partitioner absent = new Partitioner() {
            @Override
            public String name() {
                return "absent";
            }

            @Override
            public Optional<String> absence() {
                return Optional.of("not here");
            }

            @Override
            public Optional<int[]> partition(WeightedGraph graph, int parts) {
                throw new AssertionError("asked though absent");
            }
        };
        Partitioner none = new Partitioner() {
            @Override
            public String name() {
                return "none";
            }

            @Override
            public Optional<int[]> partition(WeightedGraph graph, int parts) {
                return Optional.empty();
            }
        };
        Partition best = Partitioners.best(
                PATH, 2, List.of(absent, none, new Fixed(outside), new Fixed(blocks(0)), new Fixed(1, 0)));
        assertEquals(20, best.heaviest());
        assertEquals(1, best.cut());
    }

    @Test
    void oneThatFailsIsReported() {
        Partitioner failing = new Partitioner() {
            @Override
            public String name() {
                return "failing";
            }

            @Override
            public Optional<int[]> partition(WeightedGraph graph, int parts) {
                throw new IllegalStateException("out of memory");
            }
        };
        assertThrows(IllegalStateException.class, () -> Partitioners.best(PATH, 2, List.of(failing)));
        assertArrayEquals(
                new int[40], Partitioners.best(PATH, 1, List.of(failing)).toArray(), "trivial cases are ours");
    }
}
