package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.runtime.RunPlan.PoolPlan;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds devices that cannot hold the data which the memory edges of their pipelines lend at once. */
final class DeviceMemory {
    private DeviceMemory() {}

    /** Returns one problem per device; none for devices with an unknown limit. */
    static List<String> problems(Flattening unfolding) {
        Map<ExecutionTarget, List<PoolPlan>> pools = new LinkedHashMap<>();
        for (PoolPlan pool : unfolding.pools) {
            ExecutionTarget device = pool.device();
            if (device != null && pool.edge().layout() != null) {
                pools.computeIfAbsent(device, its -> new ArrayList<>()).add(pool);
            }
        }
        List<String> problems = new ArrayList<>();
        pools.forEach((device, its) -> {
            long bytes = its.stream().mapToLong(DeviceMemory::bytes).reduce(0, DeviceMemory::sum);
            unfolding.devices.limit(device).ifPresent(limit -> {
                if (bytes > limit) {
                    problems.add("memory edges of pipelines hold " + bytes + " bytes on device \"" + device
                            + "\", and its limit is " + limit + ": make them smaller, or raise the limit with"
                            + " Session.builder().device(offer, bytes): "
                            + String.join(
                                    ", ", its.stream().map(DeviceMemory::text).toList()));
                }
            });
        });
        return problems;
    }

    private static String text(PoolPlan pool) {
        return "\"" + pool.name() + "\" " + pool.edge().size() + " x " + bytesOfOne(pool) + " bytes";
    }

    private static long bytes(PoolPlan pool) {
        long one = bytesOfOne(pool);
        long number = Math.max(0, pool.edge().size());
        return Math.multiplyHigh(one, number) == 0 ? saturated(one * number) : Long.MAX_VALUE;
    }

    private static long bytesOfOne(PoolPlan pool) {
        Layout layout = pool.edge().layout();
        return layout == null ? 0 : layout.bytes();
    }

    private static long sum(long a, long b) {
        return saturated(a + b);
    }

    /** Returns the sum or product of two numbers that are not negative; {@code value} is negative if it overflowed. */
    private static long saturated(long value) {
        return value < 0 ? Long.MAX_VALUE : value;
    }
}
