package dev.jacquard.components.run;

import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.engine.work.PlacedNode;
import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/**
 * An execution on a worker, of a part that never waits. Made ready once for each execution; the worker sees earlier
 * writes.
 */
final class PartNode extends PlacedNode {
    private final OpenedPart part;
    private final ParallelRun run;
    private final boolean traced;

    PartNode(OpenedPart part, ParallelRun run, boolean traced) {
        this.part = part;
        this.run = run;
        this.traced = traced;
    }

    @Override
    public void run(WorkerContext worker) {
        TraceLane lane = worker.lane();
        long begun = traced ? lane.beginTask() : 0;
        run.execute(part);
        if (traced) {
            lane.endTask(part.name(), begun);
        }
        run.end(part, worker);
    }

    @Override
    public @Nullable String graphName() {
        return "components";
    }

    @Override
    public String toString() {
        return part.name();
    }
}
