package dev.jacquard.bench.programs;

import dev.jacquard.bench.workload.Workload;
import java.util.List;

/** The workloads of programs. A new one is added here. */
public final class ProgramWorkloads {
    private ProgramWorkloads() {}

    /** All, in the order of the report. */
    public static List<Workload> all() {
        return List.of(
                new EmptyChain("components.serial", false, "serial"),
                new EmptyChain("components.parallel", false, "parallel"),
                new EmptyChain("components.waiting", true, "parallel"),
                new SideBySide("components.side", false),
                new SideBySide("components.side.loops", true),
                new Checks());
    }
}
