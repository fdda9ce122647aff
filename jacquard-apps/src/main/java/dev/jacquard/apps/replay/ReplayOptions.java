package dev.jacquard.apps.replay;

import dev.jacquard.apps.program.Cancellation;
import dev.jacquard.apps.program.Progress;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.Stealing;

/**
 * How a program is run.
 *
 * @param workers how many threads run tasks, the calling one included: it is the main thread
 * @param policy which ready task runs next, and where
 * @param keepsGraph whether the graph of tasks is wanted, to look at
 * @param spansPerWorker how many spans the trace keeps of each worker; 0 for no trace
 * @param clock what bodies spin on and results are measured with
 * @param progress is told how far the run is
 * @param cancellation what stops the run
 */
public record ReplayOptions(
        int workers,
        Policy policy,
        boolean keepsGraph,
        int spansPerWorker,
        Clock clock,
        Progress progress,
        Cancellation cancellation) {

    /** Options of {@code workers} workers that steal and the machine's clock, without anything else. */
    public static ReplayOptions of(int workers) {
        return new ReplayOptions(workers, new Stealing(), false, 0, Clock.system(), Progress.NONE, new Cancellation());
    }

    /** The same with another policy. */
    public ReplayOptions withPolicy(Policy other) {
        return new ReplayOptions(workers, other, keepsGraph, spansPerWorker, clock, progress, cancellation);
    }

    /** The same, and the graph is kept. */
    public ReplayOptions withGraph(boolean kept) {
        return new ReplayOptions(workers, policy, kept, spansPerWorker, clock, progress, cancellation);
    }

    /** The same with a trace of {@code spans} spans per worker. */
    public ReplayOptions withTrace(int spans) {
        return new ReplayOptions(workers, policy, keepsGraph, spans, clock, progress, cancellation);
    }

    /** The same on another clock. */
    public ReplayOptions withClock(Clock source) {
        return new ReplayOptions(workers, policy, keepsGraph, spansPerWorker, source, progress, cancellation);
    }

    /** The same with an observer of the progress, and a cancellation that may stop the run. */
    public ReplayOptions watchedBy(Progress who, Cancellation what) {
        return new ReplayOptions(workers, policy, keepsGraph, spansPerWorker, clock, who, what);
    }
}
