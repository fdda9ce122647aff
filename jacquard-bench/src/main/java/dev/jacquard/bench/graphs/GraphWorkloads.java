package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Workload;
import java.util.List;

/** The workloads of task graphs. A new one is added here. */
public final class GraphWorkloads {
    /** The number of handles that independent tasks take in turn. */
    private static final int HANDLES = 1024;

    private GraphWorkloads() {}

    /** All, in the order of the report. */
    public static List<Workload> all() {
        return List.of(
                ShapeTasks.compiled("compiled.chain", Shape::chain),
                ShapeTasks.compiled("compiled.tree", Shape::tree),
                ShapeTasks.compiled("compiled.wavefront", Shape::wavefront),
                ShapeTasks.compiled("compiled.independent", Shape::independent),
                ShapeTasks.compiled("compiled.stencil2", tasks -> Shape.stencil(tasks, 2)),
                ShapeTasks.compiled("compiled.stencil8", tasks -> Shape.stencil(tasks, 8)),
                ShapeTasks.copied("compiled.copied.tree", Shape::tree),
                ShapeTasks.copied("compiled.copied.wavefront", Shape::wavefront),
                new CompiledGrain("compiled.grain.chain", Shape::chain),
                new CompiledGrain("compiled.grain.tree", Shape::tree),
                new CompiledGrain("compiled.grain.wavefront", Shape::wavefront),
                new CompiledGrain("compiled.grain.independent", Shape::independent),
                new CompiledGrain("compiled.grain.stencil2", tasks -> Shape.stencil(tasks, 2)),
                new CompiledGrain("compiled.grain.stencil8", tasks -> Shape.stencil(tasks, 8)),
                ShapeTasks.dynamic("dynamic.chain", tasks -> Shape.updates(tasks, 1)),
                ShapeTasks.dynamic("dynamic.independent", tasks -> Shape.updates(tasks, HANDLES)),
                ShapeTasks.dynamic("dynamic.wavefront", Shape::wavefront),
                ShapeTasks.accesses5(),
                new Grain("50ns", 50),
                new Grain("100ns", 100),
                new Grain("150ns", 150),
                new Grain("200ns", 200),
                new Grain("500ns", 500),
                new Grain("1us", 1_000),
                new Grain("1500ns", 1_500),
                new Grain("10us", 10_000),
                new Locks(),
                new MovingWindows("dynamic.areas2d", 1_000),
                new MovingWindows("dynamic.areas2d.live10000", 10_000),
                new MovingWindows("dynamic.areas2d.live100000", 100_000),
                new PendingTasks(),
                new ManyTasks(),
                TraceCost.asSubmitted(),
                TraceCost.inARow(),
                new SimulatedTasks(),
                new KernelSpeed(),
                new TaskBench(Pattern.STENCIL_1D, 2),
                new TaskBench(Pattern.STENCIL_1D, 8),
                new TaskBench(Pattern.FFT, 2),
                new TaskBench(Pattern.FFT, 8),
                new TaskBench(Pattern.TREE, 2),
                new TaskBench(Pattern.TREE, 8),
                new TaskBench(Pattern.RANDOM_NEAREST, 2),
                new TaskBench(Pattern.RANDOM_NEAREST, 8));
    }
}
