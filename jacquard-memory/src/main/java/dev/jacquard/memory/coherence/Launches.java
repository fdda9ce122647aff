package dev.jacquard.memory.coherence;

import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.residency.DataClaim;
import java.util.List;

/**
 * Enqueues launches before their tasks are ready, and times launches.
 *
 * <p>Threads: any; takes the lock of the {@link Coherence} itself, but where it says otherwise.
 */
final class Launches {
    private final Coherence coherence;
    private final Admission admission;
    private final Forecast forecast;
    private final Trace trace;

    Launches(Coherence coherence, Admission admission, Forecast forecast, Trace trace) {
        this.coherence = coherence;
        this.admission = admission;
        this.forecast = forecast;
        this.trace = trace;
    }

    long now() {
        return trace.nanoTime();
    }

    /**
     * Notes that a kernel that was enqueued at {@code told} has run well: since then, or since the one before has
     * ended.
     */
    void launched(ReplicaClaim claim, long told) {
        long end = now();
        Space space = claim.space;
        AccessPlan plan = claim.plan;
        synchronized (coherence.lock) {
            long before = space.computedUntil;
            long begin = before - told > 0 ? before : told;
            space.computedUntil = end;
            claim.workNanos = Math.max(0, end - begin);
            if (trace.on()) {
                TraceLane lane = space.lane(trace);
                lane.record(claim.task, begin, end, 0);
            }
            if (plan != null && plan.space == space) {
                forecast.took(plan, (double) claim.workNanos);
            }
        }
    }

    /** See {@link DataClaim#launchAhead}. Without the lock. */
    DataClaim.Ahead launchAhead(ReplicaClaim claim, int stream, DeviceBody body, List<Object> numbers) {
        if (coherence.runner.verifies() || claim.space.device() == null) {
            return DataClaim.Ahead.NEVER; // copies that are found damaged are made again
        }
        AheadLaunch launch = new AheadLaunch(coherence, claim, body, numbers);
        synchronized (coherence.lock) {
            coherence.claims.resting.recall(claim.needs);
            if (!admission.early.enter(claim)) {
                return DataClaim.Ahead.NEVER;
            }
            claim.ahead = launch;
            launch.inFlight = true;
            if (claim.plan != null) {
                claim.plan.told = true;
            }
        }
        DataClaim.Ahead told = launch.tell(stream);
        if (told == DataClaim.Ahead.LATER || told == DataClaim.Ahead.NEVER) {
            coherence.runner.changed(after -> {
                claim.ahead = null;
                admission.early.letGo(claim);
            });
        }
        return told;
    }

    /** Unpins the replicas of an early launch of a task that is over. Under the lock. */
    void letGo(ReplicaClaim claim) {
        admission.early.letGo(claim);
    }
}
