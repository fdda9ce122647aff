package dev.jacquard.apps.replay;

/**
 * A task gives up rights while it runs.
 *
 * @param at when, as a fraction of the body's time: 0 to 1
 * @param to the access to that resource that remains
 */
record DemoteSpec(double at, AccessSpec to) {
    public DemoteSpec {
        if (!(at >= 0 && at <= 1)) {
            throw new IllegalArgumentException("a demotion happens at 0 to 1 of the body's time, not at " + at);
        }
    }
}
