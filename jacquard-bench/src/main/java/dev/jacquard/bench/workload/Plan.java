package dev.jacquard.bench.workload;

import dev.jacquard.base.clock.Clock;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order for a run of benchmarks.
 *
 * @param workers numbers of threads to compare at, each at least 1
 * @param quick small and few, to see that everything works; the figures mean little
 * @param rivals other systems run too, for comparison
 * @param clock where time comes from
 * @param project the project's root
 * @param data a folder with large inputs, or null
 */
public record Plan(
        List<Integer> workers,
        boolean quick,
        boolean rivals,
        Clock clock,
        Path project,
        @Nullable Path data) {
    public Plan {
        workers = List.copyOf(workers);
    }

    /** Returns true if the system takes part: without rivals only Jacquard's do. */
    public boolean includes(String system) {
        return rivals || system.startsWith("jacquard");
    }
}
