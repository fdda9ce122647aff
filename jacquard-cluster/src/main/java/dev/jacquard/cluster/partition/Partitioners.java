package dev.jacquard.cluster.partition;

import dev.jacquard.base.service.Services;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The partitioners of this process.
 *
 * <pre>{@code
 * Partition partition = Partitioners.best(graph, 4);
 * int rank = partition.part(vertex);
 * }</pre>
 *
 * <p>Threads: any.
 */
public final class Partitioners {
    private static final Partitioner OURS = new Multilevel();

    private Partitioners() {}

    /** Returns the partitioner of this module, which needs no library. It cuts every graph. */
    public static Partitioner ours() {
        return OURS;
    }

    /** Returns the partitioners that are named as services, whether or not this machine has them. */
    public static List<Partitioner> found() {
        return Services.all(Partitioner.class, loader -> ServiceLoader.load(Partitioner.class, loader));
    }

    /**
     * Returns the best partition that {@linkplain #ours() our partitioner} and the ones {@linkplain #found() found}
     * have: the one with the lightest heaviest part; among the ones that agree in it, the one with the smallest cut;
     * ours where both agree. Parts are numbered in the order of their first vertices. No part is empty unless there are
     * fewer vertices than parts.
     *
     * @param parts the number of parts, which may exceed that of the vertices
     * @throws IllegalArgumentException if {@code parts} is below 1
     * @throws IllegalStateException if a partitioner that this machine has fails
     */
    public static Partition best(WeightedGraph graph, int parts) {
        return best(graph, parts, found());
    }

    /** The best of our partition and the partitions of some partitioners. */
    static Partition best(WeightedGraph graph, int parts, List<Partitioner> others) {
        Partition best = Partition.of(graph, parts, OURS.partition(graph, parts).orElseThrow());
        if (parts > 1 && parts < graph.vertices() && graph.edges() > 0) {
            for (Partitioner other : others) {
                Optional<Partition> its = usable(graph, parts, other);
                if (its.isPresent() && its.get().isBetterThan(best)) {
                    best = its.get();
                }
            }
        }
        return Partition.of(graph, parts, inOrder(best.toArray(), parts));
    }

    /** The partition of a partitioner, unless it is absent, has none, or leaves a vertex or a part out. */
    private static Optional<Partition> usable(WeightedGraph graph, int parts, Partitioner partitioner) {
        if (partitioner.absence().isPresent()) {
            return Optional.empty();
        }
        return partitioner
                .partition(graph, parts)
                .filter(partOf -> partOf.length == graph.vertices()
                        && Arrays.stream(partOf).allMatch(part -> part >= 0 && part < parts))
                .map(partOf -> Partition.of(graph, parts, partOf))
                .filter(partition -> partition.emptyParts() == 0);
    }

    /** The same parts, numbered in the order of their first vertices. */
    private static int[] inOrder(int[] partOf, int parts) {
        int[] numbers = new int[parts];
        Arrays.fill(numbers, -1);
        int next = 0;
        for (int vertex = 0; vertex < partOf.length; vertex++) {
            int part = partOf[vertex];
            if (numbers[part] < 0) {
                numbers[part] = next++;
            }
            partOf[vertex] = numbers[part];
        }
        return partOf;
    }
}
