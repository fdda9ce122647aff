package dev.jacquard.apps.replay;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.apps.TestData;
import dev.jacquard.cluster.partition.Partitioners;
import dev.jacquard.cluster.partition.WeightedGraph;
import dev.jacquard.cluster.testing.Figures;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class WorkflowPartitionsTest {
    static final Iterable<String> NAMES = WorkflowGraphs.NAMES;

    /** Ours cuts at most a quarter more than the better way of METIS, of those that balance as well. */
    @ParameterizedTest
    @FieldSource("NAMES")
    void oursKeepsUp(String name) {
        assumeTrue(
                Partitioners.found().stream().anyMatch(other -> other.absence().isEmpty()),
                "no other partitioner is installed; on Debian: apt-get install libmetis5");
        WeightedGraph graph = WorkflowGraphs.read(TestData.find("wfinstances/" + name));
        for (int parts = 2; parts <= 8; parts++) {
            Figures figures = Figures.of(name, graph, parts);
            figures.cutOfEquals()
                    .ifPresent(cut -> assertTrue(figures.ours().partition().cut() <= 1.25 * cut, figures.text()));
        }
    }
}
