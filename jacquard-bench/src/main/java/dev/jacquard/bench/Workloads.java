package dev.jacquard.bench;

import dev.jacquard.apps.program.InputException;
import dev.jacquard.apps.program.NearestName;
import dev.jacquard.bench.dynamic.DynamicTasks;
import dev.jacquard.bench.dynamic.Shape;
import dev.jacquard.bench.plates.DisplacementPhase;
import dev.jacquard.bench.plates.WholeStitching;
import dev.jacquard.bench.streams.Pipeline;
import dev.jacquard.bench.workload.Workload;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All workloads, by name. A new one is added here. */
public final class Workloads {
    private Workloads() {}

    /** All, in the order of the report. */
    public static List<Workload> all() {
        return List.of(
                new DynamicTasks("dynamic.chain", Shape::chain),
                new DynamicTasks("dynamic.independent", Shape::independent),
                new DynamicTasks("dynamic.wavefront", Shape::wavefront),
                new Pipeline(),
                new DisplacementPhase(),
                new WholeStitching());
    }

    /**
     * The workload called {@code name}, or all of a group: {@code dynamic} is the group of {@code dynamic.chain}.
     *
     * @throws InputException when there is none
     */
    public static List<Workload> named(String name) {
        List<Workload> found = all().stream()
                .filter(workload ->
                        workload.name().equals(name) || workload.name().startsWith(name + "."))
                .toList();
        if (found.isEmpty()) {
            Set<String> known = known();
            throw new InputException("there is no workload '" + name + "'"
                    + NearestName.of(name, known)
                            .map(nearest -> "; did you mean '" + nearest + "'?")
                            .orElse("")
                    + "; known are " + String.join(", ", known));
        }
        return found;
    }

    /** Groups and workloads. */
    private static Set<String> known() {
        Set<String> names = new LinkedHashSet<>();
        for (Workload workload : all()) {
            names.add(workload.name().substring(0, workload.name().indexOf('.')));
            names.add(workload.name());
        }
        return names;
    }
}
