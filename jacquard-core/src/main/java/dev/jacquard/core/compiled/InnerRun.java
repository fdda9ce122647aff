package dev.jacquard.core.compiled;

import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/** A compiled graph as a task of another one: the task is over when the inner run is. */
final class InnerRun implements NestedRun, KernelBody {
    private final CompiledGraph inner;
    /** The task that stands for the run. Written by the builder, before anything runs. */
    private @Nullable CompiledTask task;
    /** Written by the workers that start and end the run, one after the other; read by snapshots, without an order. */
    private boolean inFlight;

    InnerRun(CompiledGraph inner) {
        this.inner = inner;
    }

    CompiledGraph graph() {
        return inner;
    }

    /** Returns true if the inner run is in flight, or waits for its turn among the runs of its graph. */
    boolean isInFlight() {
        return inFlight;
    }

    void bind(CompiledTask outer) {
        task = outer;
    }

    /** Starts the inner run. If that cannot start, since the graph is busy, the run is over at once, and failed. */
    void start(WorkerContext worker) {
        inFlight = true;
        try {
            inner.start(worker, this);
        } catch (IllegalStateException e) {
            over(worker, e);
        }
    }

    /**
     * Cancels the inner run if it is in flight for this task. A run that still waits for its turn asks
     * {@link #cancelled}. The outer run's cancel ends the waits of both for room.
     */
    void cancel() {
        inner.lifecycle.cancel(this);
    }

    @Override
    public void over(WorkerContext worker, @Nullable RuntimeException failure) {
        inFlight = false;
        if (task != null) {
            task.innerOver(worker, failure);
        }
    }

    @Override
    public boolean cancelled() {
        return task != null && task.cancelled();
    }

    @Override
    public void run(BodyContext context) {
        throw new IllegalStateException("a graph as a task has no body: it is started");
    }
}
