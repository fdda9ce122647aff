package dev.jacquard.tools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The makespans of policies as multiples of a bound: policies as columns, graphs as rows, and their geometric means.
 * The bound of a graph is the largest that any of its runs has. Confined to one thread.
 */
final class SimulationTable {
    private final List<String> policies = new ArrayList<>();
    /** The runs of each graph, in the order of the policies. */
    private final List<List<SimulationRow>> graphs = new ArrayList<>();

    /** @param rows all policies of a graph, one after the other, then those of the next */
    SimulationTable(List<SimulationRow> rows) {
        for (SimulationRow row : rows) {
            if (graphs.isEmpty() || graphs.getLast().getFirst().graph() != row.graph()) {
                graphs.add(new ArrayList<>());
            }
            graphs.getLast().add(row);
        }
        graphs.getFirst().forEach(row -> policies.add(row.policy()));
    }

    private static double bound(List<SimulationRow> graph) {
        return graph.stream().mapToDouble(row -> row.run().bound()).max().orElse(0);
    }

    private static double ratio(SimulationRow row, double bound) {
        return bound == 0 ? 1 : row.run().makespan() / bound;
    }

    /** Returns the geometric mean of the ratios of a policy. */
    private double mean(int policy) {
        return Math.exp(graphs.stream()
                .mapToDouble(graph -> Math.log(ratio(graph.get(policy), bound(graph))))
                .average()
                .orElse(0));
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("| graph | tasks | places | bound | " + String.join(" | ", policies) + " |");
        lines.add("|---|" + "---|".repeat(3 + policies.size()));
        for (List<SimulationRow> graph : graphs) {
            SimulationRow first = graph.getFirst();
            double bound = bound(graph);
            StringBuilder line = new StringBuilder("| " + name(first) + " | "
                    + first.graph().tasks() + " | " + places(first) + " | " + SimulationReport.text(bound) + " |");
            graph.forEach(row -> line.append(cell(ratio(row, bound))));
            lines.add(line.toString());
        }
        StringBuilder means = new StringBuilder("| geometric mean | | | |");
        for (int policy = 0; policy < policies.size(); policy++) {
            means.append(cell(mean(policy)));
        }
        lines.add(means.toString());
        return lines;
    }

    private static String cell(double ratio) {
        return String.format(Locale.ROOT, " %.3f |", ratio);
    }

    /** Returns the name of the file without the ending of its format. */
    private static String name(SimulationRow row) {
        String name = String.valueOf(row.file().getFileName());
        String shown = name.replaceAll("(_task_connectivity\\.csv|\\.json|\\.stg)$", "");
        return (shown.isEmpty() ? name : shown).replace("|", "\\|");
    }

    private static String places(SimulationRow row) {
        int devices = row.graph().places() - row.hosts();
        return row.hosts() + (devices == 0 ? "" : " + " + devices);
    }

    Map<String, Object> json() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (List<SimulationRow> graph : graphs) {
            SimulationRow first = graph.getFirst();
            double bound = bound(graph);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("graph", first.file().toString());
            row.put("tasks", first.graph().tasks());
            row.put("workers", first.hosts());
            row.put("devices", first.graph().places() - first.hosts());
            row.put("unit", first.read().unit().name());
            row.put("bound", SimulationReport.number(bound));
            Map<String, Object> its = new LinkedHashMap<>();
            for (SimulationRow run : graph) {
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("makespan", SimulationReport.number(run.run().makespan()));
                result.put("ratio", SimulationReport.number(ratio(run, bound)));
                its.put(run.policy(), result);
            }
            row.put("policies", its);
            rows.add(row);
        }
        Map<String, Object> means = new LinkedHashMap<>();
        for (int policy = 0; policy < policies.size(); policy++) {
            means.put(policies.get(policy), SimulationReport.number(mean(policy)));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rows", rows);
        json.put("geometricMeans", means);
        return json;
    }
}
