package dev.jacquard.components.run;

import dev.jacquard.cluster.partition.Partition;
import dev.jacquard.cluster.partition.Partitioners;
import dev.jacquard.cluster.partition.WeightedGraph;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Wire;
import dev.jacquard.components.program.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rank of each part of a program, as a table that rank 0 computes and sends: the loads of ranks are balanced by the
 * weights of the parts, with few wires, or bytes, between ranks. Immutable.
 *
 * <p>Source: seed of the component front, section 5.3.5, "distributed task parallel mode".
 */
final class Placement {
    /** The weight of the heaviest part, as a whole number. */
    private static final double SCALE = 1e6;
    /** The largest weight of a wire: a petabyte. */
    private static final long MOST_BYTES = 1_000_000_000_000_000L;

    private final Plan plan;
    private final int ranks;
    private final int[] rankOf;
    private final double[] loads;
    private final int cut;

    private Placement(Plan plan, int ranks, int[] rankOf, double[] loads) {
        this.plan = plan;
        this.ranks = ranks;
        this.rankOf = rankOf;
        this.loads = loads;
        int between = 0;
        for (Wire wire : plan.wires()) {
            between += rankOf[wire.from()] == rankOf[wire.to()] ? 0 : 1;
        }
        this.cut = between;
    }

    /**
     * Places the parts.
     *
     * @param ranks at most as many as there are parts
     * @param bytes of the values of each source, by its name, as an earlier run has measured them; then these are the
     *     weights of wires, which count alike without
     */
    static Placement of(Plan plan, List<CheckedPart> parts, int ranks, Map<String, Long> bytes) {
        double heaviest = parts.stream().mapToDouble(CheckedPart::weight).max().orElse(1);
        WeightedGraph.Builder graph = WeightedGraph.builder(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            graph.weight(i, Math.max(1, Math.round(parts.get(i).weight() / heaviest * SCALE)));
        }
        for (Wire wire : plan.wires()) {
            if (wire.from() != wire.to()) {
                String source = plan.parts().get(wire.from()).name(wire.source());
                graph.edge(wire.from(), wire.to(), Math.clamp(bytes.getOrDefault(source, 1L), 1, MOST_BYTES));
            }
        }
        Partition partition = Partitioners.best(graph.build(), ranks);
        List<Integer> table = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            table.add(partition.part(i));
        }
        return ofTable(plan, parts, ranks, table);
    }

    /**
     * Returns the placement of a table, as {@link #table} has returned it.
     *
     * @throws InputException if it is none of this program
     */
    static Placement ofTable(Plan plan, List<CheckedPart> parts, int ranks, List<Integer> table) {
        int[] rankOf = new int[parts.size()];
        double[] loads = new double[ranks];
        if (table.size() != parts.size() || table.stream().anyMatch(rank -> rank < 0 || rank >= ranks)) {
            throw new InputException("the components are placed on the ranks " + table + "; expected the ranks of "
                    + parts.size() + " components, from 0 to " + (ranks - 1));
        }
        for (int i = 0; i < rankOf.length; i++) {
            rankOf[i] = table.get(i);
            loads[rankOf[i]] += parts.get(i).weight();
        }
        return new Placement(plan, ranks, rankOf, loads);
    }

    /** Returns the rank of each part, in their order. */
    List<Integer> table() {
        return Arrays.stream(rankOf).boxed().toList();
    }

    /** Returns the rank that executes a part. */
    int rankOf(int part) {
        return rankOf[part];
    }

    /**
     * Returns the table for reports: the ranks of the parts by name, the loads by rank, and the wires between ranks.
     */
    Map<String, Object> toReport() {
        Map<String, Object> table = new LinkedHashMap<>();
        for (int i = 0; i < rankOf.length; i++) {
            table.put(plan.parts().get(i).name(), rankOf[i]);
        }
        List<Double> all = new ArrayList<>();
        for (double load : loads) {
            all.add(load);
        }
        Map<String, Object> its = new LinkedHashMap<>();
        its.put("ranks", ranks);
        its.put("placement", table);
        its.put("loads", all);
        its.put("cut", cut);
        return its;
    }

    /** Returns the table for a reader, a line each rank. */
    List<String> toLines() {
        List<String> lines = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < rankOf.length; i++) {
                if (rankOf[i] == rank) {
                    names.add(plan.parts().get(i).name());
                }
            }
            lines.add("rank " + rank + ", load " + plain(loads[rank]) + ": " + String.join(", ", names));
        }
        lines.add(cut + (cut == 1 ? " wire" : " wires") + " between ranks");
        return lines;
    }

    private static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15 ? String.valueOf((long) number) : "" + number;
    }
}
