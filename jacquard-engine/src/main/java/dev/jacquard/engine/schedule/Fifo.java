package dev.jacquard.engine.schedule;

import java.util.Set;

/** The task that became ready first runs first, on whichever worker is free. */
final class Fifo implements Policy {
    /** The policy, which has no choices. */
    public Fifo() {}

    @Override
    public String name() {
        return "fifo";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.EXCLUSIVE_CALLS, Need.NO_INLINE_SUCCESSORS);
    }

    @Override
    public ReadyOrder order() {
        return new TaskRing();
    }
}
