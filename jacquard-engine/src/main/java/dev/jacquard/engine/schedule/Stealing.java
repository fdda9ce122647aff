package dev.jacquard.engine.schedule;

import org.jspecify.annotations.Nullable;

/**
 * Each worker runs its newest task first, and steals the oldest of others when it has none. The default: the cheapest
 * by far, since it is built into the workers.
 *
 * <p>Source: the abstract runtime system document, section II-C7 (the scheduler on top of TBB).
 */
public final class Stealing implements Policy {
    /** The policy, which has no choices. */
    public Stealing() {}

    @Override
    public String name() {
        return "stealing";
    }

    @Override
    public @Nullable ReadyOrder order() {
        return null;
    }
}
