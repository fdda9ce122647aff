package dev.jacquard.tools;

import dev.jacquard.apps.graphs.GraphFile;
import dev.jacquard.components.program.InputException;
import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.sim.SimulatedRun;
import dev.jacquard.sim.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A small graph for which a policy is bad against the shortest schedule. The policy is simulated for each graph of the
 * search as it is for a file, so that the file has the same ratio. Immutable.
 */
final class WorstCase {
    private static final String SEARCH = "search";

    private final Policy policy;
    private final Limits limits;
    private final WorkGraph graph;
    private final SimulatedRun run;
    private final Plan shortest;
    /** Null where no file was wanted. */
    private final @Nullable Path file;

    /**
     * Searches the graph, and writes it to a folder, which is made if it is not there.
     *
     * @param folder null for none
     * @throws InputException if the policy has no such graph, or the folder cannot be written
     */
    WorstCase(Policy policy, Limits limits, @Nullable Path folder) throws IOException {
        if (policy.name().equals(SEARCH)) {
            throw new InputException("--adversary " + SEARCH
                    + ": it finds the shortest schedule of such small graphs; expected another policy");
        }
        this.policy = policy;
        this.limits = limits;
        String name = policy.name().replaceAll("[^\\w.-]", "-");
        if (folder != null) {
            makeFolder(folder);
            Subcommand.requirePlace("--out", folder.resolve(name));
        }
        GraphPlacement simulated = (its, ignored) -> simulate(its).schedule();
        this.graph = simulated.worstCase(limits);
        this.run = simulate(graph);
        this.shortest = GraphPlacement.search().plan(graph, Limits.DEFAULT);
        this.file = folder == null ? null : GraphFile.write(graph, folder, name);
    }

    private static void makeFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InputException(
                    "--out " + folder + ": the folder cannot be made: " + e + "; expected a folder that can be written",
                    e);
        }
    }

    private SimulatedRun simulate(WorkGraph its) {
        return Simulation.run(
                its,
                Simulation.Options.of(policy, its.places())
                        .withUnit(GraphFile.Unit.OF_FILE.nanos())
                        .withLimits(limits)
                        .withFreeLinks());
    }

    private double ratio() {
        return run.makespan() / shortest.makespan();
    }

    List<String> lines() {
        String found = String.format(
                Locale.ROOT,
                "%s: %d tasks on %d processors, makespan %s, %.2f times as long as the shortest schedule of %s",
                policy.name(),
                graph.tasks(),
                graph.places(),
                SimulationReport.text(run.makespan()),
                ratio(),
                SimulationReport.text(shortest.makespan()));
        String proved = found + (shortest.isProved() ? "" : " that was found");
        if (file == null) {
            return List.of(proved);
        }
        String seed = limits.seed() == Limits.DEFAULT.seed() ? "" : " --seed " + limits.seed();
        return List.of(
                proved,
                "simulate it: ./jacquard simulate --graph " + file + " --policy " + policy.name() + "," + SEARCH
                        + seed);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("policy", policy.name());
        if (file != null) {
            json.put("graph", file.toString());
        }
        json.put("tasks", graph.tasks());
        json.put("workers", graph.places());
        json.put("makespan", SimulationReport.number(run.makespan()));
        json.put("shortest", SimulationReport.number(shortest.makespan()));
        json.put("proved", shortest.isProved());
        json.put("ratio", SimulationReport.number(ratio()));
        return json;
    }
}
