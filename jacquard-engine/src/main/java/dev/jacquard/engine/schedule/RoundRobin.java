package dev.jacquard.engine.schedule;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ready tasks go to the workers in turn, whatever these have to do.
 *
 * <p>Source: the expressions thesis, section 3.1.14 (load balancers).
 */
public final class RoundRobin implements Policy {
    /** The policy, which has no choices. */
    public RoundRobin() {}

    @Override
    public String name() {
        return "round-robin";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.EXCLUSIVE_CALLS, Need.NO_INLINE_SUCCESSORS);
    }

    @Override
    public ReadyOrder order() {
        return new TaskRing();
    }

    @Override
    public Placement placement() {
        AtomicInteger turn = new AtomicInteger();
        return (task, machine) -> Integer.remainderUnsigned(turn.getAndIncrement(), machine.workers());
    }
}
