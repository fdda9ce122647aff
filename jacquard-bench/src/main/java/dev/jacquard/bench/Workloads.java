package dev.jacquard.bench;

import dev.jacquard.apps.program.InputException;
import dev.jacquard.apps.program.NearestName;
import dev.jacquard.bench.compiled.CompiledGrain;
import dev.jacquard.bench.compiled.CompiledGraphs;
import dev.jacquard.bench.devices.Launches;
import dev.jacquard.bench.devices.OutOfCoreMemory;
import dev.jacquard.bench.devices.OutOfCoreProduct;
import dev.jacquard.bench.devices.Overlap;
import dev.jacquard.bench.devices.ValidData;
import dev.jacquard.bench.dynamic.DynamicTasks;
import dev.jacquard.bench.dynamic.Grain;
import dev.jacquard.bench.dynamic.MovingWindows;
import dev.jacquard.bench.dynamic.TraceCost;
import dev.jacquard.bench.memory.ManyTasks;
import dev.jacquard.bench.memory.PendingTasks;
import dev.jacquard.bench.metg.KernelSpeed;
import dev.jacquard.bench.metg.Pattern;
import dev.jacquard.bench.metg.TaskBench;
import dev.jacquard.bench.plates.DisplacementPhase;
import dev.jacquard.bench.plates.WholeStitching;
import dev.jacquard.bench.shape.Shape;
import dev.jacquard.bench.streams.Loans;
import dev.jacquard.bench.streams.Pipeline;
import dev.jacquard.bench.workload.Workload;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All workloads, by name. A new one is added here. */
public final class Workloads {
    /** How many handles independent tasks take in turn. */
    private static final int HANDLES = 1024;
    /** A group of groups: what issues and tables about the engine itself ask for. */
    private static final String ENGINE = "engine";

    private static final Set<String> ENGINE_GROUPS = Set.of("compiled", "dynamic", "memory", "trace");

    /** Another one: data and devices. */
    private static final String DEVICES = "devices";

    private static final Set<String> DEVICE_GROUPS = Set.of("coherence", "device", "outofcore");

    private Workloads() {}

    /** All, in the order of the report. */
    public static List<Workload> all() {
        return List.of(
                new CompiledGraphs("compiled.chain", Shape::chain),
                new CompiledGraphs("compiled.tree", Shape::tree),
                new CompiledGraphs("compiled.wavefront", Shape::wavefront),
                new CompiledGraphs("compiled.independent", Shape::independent),
                new CompiledGraphs("compiled.stencil2", tasks -> Shape.stencil(tasks, 2)),
                new CompiledGraphs("compiled.stencil8", tasks -> Shape.stencil(tasks, 8)),
                CompiledGraphs.copied("compiled.copied.tree", Shape::tree),
                CompiledGraphs.copied("compiled.copied.wavefront", Shape::wavefront),
                new CompiledGrain("compiled.grain.chain", Shape::chain),
                new CompiledGrain("compiled.grain.tree", Shape::tree),
                new CompiledGrain("compiled.grain.wavefront", Shape::wavefront),
                new CompiledGrain("compiled.grain.independent", Shape::independent),
                new CompiledGrain("compiled.grain.stencil2", tasks -> Shape.stencil(tasks, 2)),
                new CompiledGrain("compiled.grain.stencil8", tasks -> Shape.stencil(tasks, 8)),
                new DynamicTasks("dynamic.chain", tasks -> Shape.updates(tasks, 1)),
                new DynamicTasks("dynamic.independent", tasks -> Shape.updates(tasks, HANDLES)),
                new DynamicTasks("dynamic.wavefront", Shape::wavefront),
                DynamicTasks.accesses5(),
                new Grain("50ns", 50),
                new Grain("100ns", 100),
                new Grain("200ns", 200),
                new Grain("500ns", 500),
                new Grain("1us", 1_000),
                new Grain("10us", 10_000),
                new MovingWindows("dynamic.areas2d", 1_000),
                new MovingWindows("dynamic.areas2d.live10000", 10_000),
                new MovingWindows("dynamic.areas2d.live100000", 100_000),
                new PendingTasks(),
                new ManyTasks(),
                TraceCost.asSubmitted(),
                TraceCost.inARow(),
                new KernelSpeed(),
                new TaskBench(Pattern.STENCIL_1D, 2),
                new TaskBench(Pattern.STENCIL_1D, 8),
                new TaskBench(Pattern.FFT, 2),
                new TaskBench(Pattern.FFT, 8),
                new TaskBench(Pattern.TREE, 2),
                new TaskBench(Pattern.TREE, 8),
                new TaskBench(Pattern.RANDOM_NEAREST, 2),
                new TaskBench(Pattern.RANDOM_NEAREST, 8),
                new ValidData(),
                new Launches(),
                new Overlap(),
                new OutOfCoreProduct(),
                new OutOfCoreMemory(),
                new Pipeline(),
                new Loans(),
                new DisplacementPhase(),
                new WholeStitching());
    }

    /**
     * The workload called {@code name}, or all of a group: {@code dynamic} is the group of {@code dynamic.chain}, and
     * {@code engine} is what measures the engine alone.
     *
     * @throws InputException when there is none
     */
    public static List<Workload> named(String name) {
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
