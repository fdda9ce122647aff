package dev.jacquard.bench.plates;

import dev.jacquard.bench.workload.Workload;
import java.util.List;

/** The workloads of stitching. A new one is added here. */
public final class PlateWorkloads {
    private PlateWorkloads() {}

    /** All, in the order of the report. */
    public static List<Workload> all() {
        return List.of(new DisplacementPhase(), new WholeStitching());
    }
}
