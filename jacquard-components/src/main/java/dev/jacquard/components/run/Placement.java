package dev.jacquard.components.run;

import dev.jacquard.cluster.partition.Partition;
import dev.jacquard.cluster.partition.Partitioners;
import dev.jacquard.cluster.partition.WeightedGraph;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Wire;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rank of each part of a program, as a table that all ranks compute alike: the loads of ranks are balanced by the
 * weights of the parts, with few wires between ranks. Immutable.
 *
 * <p>Source: seed of the component front, section 5.3.5, "distributed task parallel mode".
 */
final class Placement {
    /** The weight of the heaviest part, as a whole number. */
    private static final double SCALE = 1e6;

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
     */
    static Placement of(Plan plan, List<CheckedPart> parts, int ranks) {
        double heaviest = parts.stream().mapToDouble(CheckedPart::weight).max().orElse(1);
        WeightedGraph.Builder graph = WeightedGraph.builder(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            graph.weight(i, Math.max(1, Math.round(parts.get(i).weight() / heaviest * SCALE)));
        }
        for (Wire wire : plan.wires()) {
            if (wire.from() != wire.to()) {
                graph.edge(wire.from(), wire.to(), 1);
            }
        }
        Partition partition = Partitioners.best(graph.build(), ranks);
        int[] rankOf = new int[parts.size()];
        double[] loads = new double[ranks];
        for (int i = 0; i < rankOf.length; i++) {
            rankOf[i] = partition.part(i);
            loads[rankOf[i]] += parts.get(i).weight();
        }
        return new Placement(plan, ranks, rankOf, loads);
    }

    int ranks() {
        return ranks;
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
