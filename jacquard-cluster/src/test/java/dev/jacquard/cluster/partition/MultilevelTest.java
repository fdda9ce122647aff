package dev.jacquard.cluster.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.cluster.testing.Graphs;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MultilevelTest {
    private static Partition cut(WeightedGraph graph, int parts) {
        int[] partOf = Partitioners.ours().partition(graph, parts).orElseThrow();
        Partition partition = Partition.of(graph, parts, partOf);
        assertEquals(Math.max(0, parts - graph.vertices()), partition.emptyParts(), "empty parts");
        return partition;
    }

    /** All graphs of one to six edges on four vertices, and all places of the heavy one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000_007L})
    void aVertexAsHeavyAsAllOthersIsAlone(long weight) {
        for (int edges = 1; edges < 64; edges++) {
            for (int heavy = 0; heavy < 4; heavy++) {
                WeightedGraph.Builder builder = WeightedGraph.builder(4);
                for (int vertex = 0; vertex < 4; vertex++) {
                    builder.weight(vertex, vertex == heavy ? 3 * weight : weight);
                }
                for (int a = 0, edge = 0; a < 4; a++) {
                    for (int b = a + 1; b < 4; b++, edge++) {
                        builder.edge(a, b, (edges >> edge & 1) * (1 + 1000L * edge * edge));
                    }
                }
                Partition partition = cut(builder.build(), 2);
                assertEquals(3 * weight, partition.heaviest(), edges + ", " + heavy + ": " + partition);
                for (int vertex = 0; vertex < 4; vertex++) {
                    assertEquals(
                            vertex == heavy, partition.part(vertex) == partition.part(heavy), partition.toString());
                }
            }
        }
    }

    /** The weights are small, so that no load is good enough that is not the best. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void smallGraphsAreCutAsWellAsPossible(int parts) {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            int vertices = parts + 1 + random.nextInt(10 - parts);
            int heaviest = random.nextInt(1, 30);
            WeightedGraph graph = Graphs.random(random, vertices, random.nextInt(25), heaviest);
            Partition best = Objects.requireNonNull(best(graph, parts, new int[vertices], 0, 0, null));
            Partition ours = cut(graph, parts);
            String text = "seed " + seed + ": " + ours + ", possible " + best;
            assertEquals(best.heaviest(), ours.heaviest(), text);
            assertEquals(best.cut(), ours.cut(), text);
        }
    }

    private static @Nullable Partition best(
            WeightedGraph graph, int parts, int[] partOf, int vertex, int used, @Nullable Partition known) {
        if (vertex == partOf.length) {
            Partition partition = Partition.of(graph, parts, partOf);
            boolean better = partition.emptyParts() == 0 && (known == null || partition.isBetterThan(known));
            return better ? partition : known;
        }
        Partition best = known;
        for (int part = 0; part <= used && part < parts; part++) {
            partOf[vertex] = part;
            best = best(graph, parts, partOf, vertex + 1, Math.max(used, part + 1), best);
        }
        return best;
    }

    @Test
    void randomGraphsAreCutCompletelyEachTimeAlike() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int vertices = 1 + random.nextInt(300);
            int parts = 1 + random.nextInt(12);
            int heaviest = random.nextInt(3) * random.nextInt(1000);
            WeightedGraph graph = Graphs.random(random, vertices, random.nextInt(4 * vertices), heaviest);
            Partition partition = cut(graph, parts);
            long total = 0;
            for (int part = 0; part < parts; part++) {
                total += partition.load(part);
            }
            assertEquals(graph.totalWeight(), total, "seed " + seed);
            assertArrayEquals(partition.toArray(), cut(graph, parts).toArray(), "seed " + seed);
            assertTrue(partition.heaviest() <= packed(graph, parts), "seed " + seed);
        }
    }

    /** The heaviest part where each vertex, the heaviest first, goes to the lightest part, and what is tolerated. */
    private static long packed(WeightedGraph graph, int parts) {
        long[] loads = new long[parts];
        long heaviest = graph.totalWeight() / parts + graph.totalWeight() / parts / 1000 + 1;
        for (int vertex : Balance.heaviestFirst(graph)) {
            int lightest = 0;
            for (int part = 1; part < parts; part++) {
                lightest = loads[part] < loads[lightest] ? part : lightest;
            }
            loads[lightest] += graph.weight(vertex);
            heaviest = Math.max(heaviest, loads[lightest]);
        }
        return heaviest;
    }

    @Test
    void trivialGraphsAreCut() {
        assertEquals(0, cut(Graphs.grid(5, 5), 1).cut());
        assertEquals(0, cut(WeightedGraph.builder(0).build(), 3).vertices());
        Partition alone = cut(Graphs.grid(3), 5);
        assertEquals(1, alone.heaviest());
        assertEquals(2, alone.emptyParts());
        Partition loose = cut(WeightedGraph.builder(100).build(), 7);
        assertEquals(15, loose.heaviest());
        WeightedGraph.Builder weightless = WeightedGraph.builder(30);
        for (int vertex = 0; vertex < 30; vertex++) {
            weightless.weight(vertex, 0).edge(vertex, (vertex + 1) % 30, 1);
        }
        assertEquals(3, cut(weightless.build(), 3).cut());
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> Partitioners.ours().partition(Graphs.grid(2), 0));
        assertTrue(String.valueOf(e.getMessage()).contains("0 parts"));
    }

    /** Where planes can cut a grid into equal boxes, our cut is at most a few percent above theirs. */
    @ParameterizedTest
    @CsvSource({"32, 32, 1, 2, 32", "32, 32, 1, 4, 64", "100, 100, 1, 4, 200", "16, 16, 16, 8, 768", "64, 64, 1, 8, 320"
    })
    void gridsAreCutLikeByPlanes(int rows, int columns, int layers, int parts, int planes) {
        Partition partition = cut(Graphs.grid(rows, columns, layers), parts);
        assertEquals(rows * columns * layers / parts, partition.heaviest());
        assertTrue(partition.cut() <= 1.1 * planes, partition.cut() + " instead of " + planes);
    }

    /** A ring of heavy pairs: each pair stays together. */
    @Test
    void lightEdgesAreCut() {
        WeightedGraph.Builder ring = WeightedGraph.builder(64);
        for (int vertex = 0; vertex < 64; vertex++) {
            ring.edge(vertex, (vertex + 1) % 64, vertex % 2 == 0 ? 1L << 40 : 3);
        }
        Partition partition = cut(ring.build(), 4);
        assertEquals(16, partition.heaviest());
        assertEquals(12, partition.cut());
    }

    @Test
    void starsAreCutEvenly() {
        WeightedGraph.Builder star = WeightedGraph.builder(5001).weight(0, 0);
        for (int vertex = 1; vertex <= 5000; vertex++) {
            star.edge(0, vertex, 1);
        }
        Partition partition = cut(star.build(), 5);
        assertTrue(partition.heaviest() <= 1001, partition.heaviest() + ", cut " + partition.cut());
        assertTrue(partition.cut() <= 4000, "cut " + partition.cut());
    }
}
