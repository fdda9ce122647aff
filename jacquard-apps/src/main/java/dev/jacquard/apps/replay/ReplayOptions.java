package dev.jacquard.apps.replay;

import dev.jacquard.apps.program.Cancellation;
import dev.jacquard.apps.program.Progress;
import dev.jacquard.core.clock.Clock;

/**
 * How a program is run.
 *
 * @param workers how many threads run tasks, the calling one included: it is the main thread
 * @param spansPerWorker how many spans the trace keeps of each worker; 0 for no trace
 * @param clock what bodies spin on and results are measured with
 * @param progress who is told how far it is
 * @param cancellation what stops the run
 */
public record ReplayOptions(
        int workers, int spansPerWorker, Clock clock, Progress progress, Cancellation cancellation) {

    /** So many workers, the machine's clock, and nothing else. */
    public static ReplayOptions of(int workers) {
        return new ReplayOptions(workers, 0, Clock.system(), Progress.NONE, new Cancellation());
    }
}
