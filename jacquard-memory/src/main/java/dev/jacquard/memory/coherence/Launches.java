package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.residency.DataClaim;
import java.util.List;

/**
 * Tells devices of launches before their tasks are ready, and times launches.
 *
 * <p>Threads: any; takes the lock of the {@link Coherence} itself, but where it says otherwise.
 */
final class Launches {
    private final Coherence coherence;
    private final Admission admission;
    private final Forecast forecast;
    private final Clock clock;

    Launches(Coherence coherence, Admission admission, Forecast forecast, Clock clock) {
        this.coherence = coherence;
        this.admission = admission;
        this.forecast = forecast;
        this.clock = clock;
    }

    long now() {
        return clock.nanoTime();
    }

    /** Notes that a kernel of which its stream was told at {@code told} has run well. */
    void launched(ReplicaClaim claim, long told) {
        long end = now();
        AccessPlan plan = claim.plan;
        synchronized (coherence.lock) {
            if (plan != null && plan.space == claim.space) {
                long before = plan.space.computedUntil;
                long begin = before - told > 0 ? before : told;
                plan.space.computedUntil = end;
                forecast.took(plan, (double) Math.max(0, end - begin));
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

    /** Unpins what was told ahead for a task that is over. Under the lock. */
    void letGo(ReplicaClaim claim) {
        admission.early.letGo(claim);
    }
}
