package dev.jacquard.engine.schedule;

import java.util.Set;

/** The task that became ready first runs first, on whichever worker is free. */
final class Fifo implements Policy {
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
