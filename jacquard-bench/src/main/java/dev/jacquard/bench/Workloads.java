package dev.jacquard.bench;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.bench.devices.DeviceWorkloads;
import dev.jacquard.bench.fields.FieldWorkloads;
import dev.jacquard.bench.graphs.GraphWorkloads;
import dev.jacquard.bench.plates.PlateWorkloads;
import dev.jacquard.bench.programs.ProgramWorkloads;
import dev.jacquard.bench.ranks.RankWorkloads;
import dev.jacquard.bench.streams.StreamWorkloads;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.components.program.InputException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All workloads, by name. */
final class Workloads {
    /** A group of groups: the workloads that issues and tables about the engine itself ask for. */
    private static final String ENGINE = "engine";

    private static final Set<String> ENGINE_GROUPS = Set.of("compiled", "dynamic", "memory", "trace");

    /** Another one: data and devices. */
    private static final String DEVICES = "devices";

    private static final Set<String> DEVICE_GROUPS = Set.of("coherence", "device", "outofcore");

    private Workloads() {}

    /** All, in the order of the report. */
    static List<Workload> all() {
        return Stream.of(
                        GraphWorkloads.all(),
                        DeviceWorkloads.all(),
                        FieldWorkloads.all(),
                        StreamWorkloads.all(),
                        ProgramWorkloads.all(),
                        RankWorkloads.all(),
                        PlateWorkloads.all())
                .flatMap(List::stream)
                .toList();
    }

    /**
     * The workload called {@code name}, or all of a group: {@code dynamic} is the group of {@code dynamic.chain}, and
     * {@code engine} is the group that measures the engine alone.
     *
     * @throws InputException when there is none
     */
    static List<Workload> named(String name) {
        List<Workload> found = all().stream()
                .filter(workload -> workload.name().equals(name)
                        || workload.name().startsWith(name + ".")
                        || (name.equals(ENGINE) && ENGINE_GROUPS.contains(group(workload)))
                        || (name.equals(DEVICES) && DEVICE_GROUPS.contains(group(workload))))
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

    private static String group(Workload workload) {
        return workload.name().substring(0, workload.name().indexOf('.'));
    }

    /** Groups and workloads. */
    private static Set<String> known() {
        Set<String> names = new LinkedHashSet<>(List.of(ENGINE, DEVICES));
        for (Workload workload : all()) {
            names.add(group(workload));
            names.add(workload.name());
        }
        return names;
    }
}
