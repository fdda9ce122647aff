package dev.jacquard.bench.devices;

import dev.jacquard.bench.workload.Workload;
import java.util.List;

/** The workloads of data and devices. A new one is added here. */
public final class DeviceWorkloads {
    private DeviceWorkloads() {}

    /** All, in the order of the report. */
    public static List<Workload> all() {
        return List.of(
                new ValidData(),
                new Launches(),
                new Overlap(),
                new SharedItems(),
                new OutOfCoreProduct(),
                new OutOfCoreMemory());
    }
}
