package dev.jacquard.apps.replay;

import dev.jacquard.apps.TestData;
import dev.jacquard.cluster.partition.WeightedGraph;
import dev.jacquard.cluster.testing.Figures;
import dev.jacquard.cluster.testing.Graphs;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prints how grids and recorded workflows are cut, by our partitioner and by those that this machine has. */
final class PartitionFigures {
    private static final int WARM_UPS = 20;

    private PartitionFigures() {}

    /**
     * Run with the class path of this module's tests.
     *
     * @param args none
     */
    public static void main(String... args) {
        Map<String, WeightedGraph> graphs = new LinkedHashMap<>();
        graphs.put("grid 32 x 32", Graphs.grid(32, 32));
        graphs.put("grid 100 x 100", Graphs.grid(100, 100));
        graphs.put("grid 16 x 16 x 16", Graphs.grid(16, 16, 16));
        WorkflowGraphs.NAMES.forEach(
                name -> graphs.put(name, WorkflowGraphs.read(TestData.find("wfinstances/" + name))));
        graphs.forEach((name, graph) -> {
            for (int round = 0; round < WARM_UPS; round++) {
                Figures.of(name, graph, 8);
            }
            for (int parts = 2; parts <= 8; parts++) {
                System.out.println(Figures.of(name, graph, parts).text());
            }
        });
    }
}
