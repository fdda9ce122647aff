package dev.jacquard.cluster.testing;

import dev.jacquard.cluster.partition.Partition;
import dev.jacquard.cluster.partition.Partitioner;
import dev.jacquard.cluster.partition.Partitioners;
import dev.jacquard.cluster.partition.WeightedGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Partitions of one graph by our partitioner and by those that are found, for comparison.
 *
 * @param graph the name of the graph
 * @param parts the number of parts
 * @param ours by our partitioner
 * @param others by the others that this machine has
 */
public record Figures(String graph, int parts, Figure ours, List<Figure> others) {
    /**
     * The partition of one partitioner.
     *
     * @param partitioner its name
     * @param partition its answer
     * @param millis the time that the call took, in milliseconds
     */
    public record Figure(String partitioner, Partition partition, double millis) {
        private static Optional<Figure> of(Partitioner by, WeightedGraph graph, int parts) {
            long start = System.nanoTime();
            Optional<int[]> partOf = by.partition(graph, parts);
            double millis = (System.nanoTime() - start) / 1e6;
            return partOf.map(its -> new Figure(by.name(), Partition.of(graph, parts, its), millis));
        }

        private String text() {
            return String.format(
                    Locale.ROOT,
                    "%s: heaviest %d, cut %d, %.1f ms%s",
                    partitioner,
                    partition.heaviest(),
                    partition.cut(),
                    millis,
                    partition.emptyParts() == 0 ? "" : ", " + partition.emptyParts() + " parts empty");
        }
    }

    /** Measures once. */
    public static Figures of(String name, WeightedGraph graph, int parts) {
        List<Figure> others = new ArrayList<>();
        for (Partitioner other : Partitioners.found()) {
            if (other.absence().isEmpty()) {
                Figure.of(other, graph, parts).ifPresent(others::add);
            }
        }
        return new Figures(
                name, parts, Figure.of(Partitioners.ours(), graph, parts).orElseThrow(), others);
    }

    /** Returns the smallest cut of the others whose heaviest part is no heavier than ours; empty if there is none. */
    public Optional<Long> cutOfEquals() {
        return others.stream()
                .map(Figure::partition)
                .filter(its -> its.heaviest() <= ours.partition.heaviest())
                .map(Partition::cut)
                .min(Long::compare);
    }

    /** Returns the figures as a line of text. */
    public String text() {
        StringBuilder text = new StringBuilder(graph + " in " + parts + ": " + ours.text());
        others.forEach(other -> text.append(" | ")
                .append(other.text())
                .append(String.format(
                        Locale.ROOT,
                        " (ours %.3f of its load, %.2f of its cut)",
                        (double) ours.partition.heaviest() / other.partition.heaviest(),
                        (double) ours.partition.cut() / other.partition.cut())));
        return text.toString();
    }
}
