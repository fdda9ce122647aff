package dev.jacquard.tools;

import dev.jacquard.apps.graphs.GraphFile;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.sim.SimulatedRun;
import java.nio.file.Path;

/**
 * A simulated run of a file under a policy. Immutable.
 *
 * @param hosts the places that are workers of the host; further ones are devices
 */
record SimulationRow(Path file, GraphFile read, WorkGraph graph, int hosts, String policy, SimulatedRun run) {
    String title() {
        return file.getFileName() + " under " + policy;
    }
}
