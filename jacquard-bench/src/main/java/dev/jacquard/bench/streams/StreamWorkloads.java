package dev.jacquard.bench.streams;

import dev.jacquard.bench.workload.Workload;
import java.util.List;

/** The workloads of streams. A new one is added here. */
public final class StreamWorkloads {
    private StreamWorkloads() {}

    /** All, in the order of the report. */
    public static List<Workload> all() {
        return List.of(
                new Pipeline(),
                new BoundedStream(),
                new LongLine(),
                new Loans(),
                new ProfileCost(),
                new EmulatedPipelines(),
                new EmulatedRouting());
    }
}
