package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.flow.runtime.RunPlan.PipelinePlan;
import java.util.ArrayList;
import java.util.List;

/**
 * The busy times of the copies of pipelines.
 *
 * <p>Threads: immutable; the times themselves may be used by any thread.
 */
final class PipelineTimes {
    private final List<PipelinePlan> pipelines;
    private final List<List<BusyTime>> times = new ArrayList<>();

    PipelineTimes(List<PipelinePlan> pipelines, Clock clock) {
        this.pipelines = pipelines;
        for (PipelinePlan pipeline : pipelines) {
            times.add(pipeline.copies().stream()
                    .map(copy -> new BusyTime(clock, List.of()))
                    .toList());
        }
    }

    /** Returns the time of a copy of the pipeline with this index. */
    BusyTime of(int pipeline, int copy) {
        return times.get(pipeline).get(copy);
    }

    /** Returns the times of the copies that a stage is part of. */
    List<BusyTime> around(int stage) {
        List<BusyTime> found = new ArrayList<>();
        for (int i = 0; i < pipelines.size(); i++) {
            List<PipelinePlan.Copy> copies = pipelines.get(i).copies();
            for (int number = 0; number < copies.size(); number++) {
                if (copies.get(number).stages().has(stage)) {
                    found.add(of(i, number));
                }
            }
        }
        return List.copyOf(found);
    }
}
