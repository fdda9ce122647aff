package dev.jacquard.core.examples;

import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import java.util.Set;

/** The policy of the documentation's example, which is found by its name. */
@SuppressWarnings("missing-explicit-ctor")
public final class LifoPolicy implements Policy {
    @Override
    public String name() {
        return "lifo";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.NO_INLINE_SUCCESSORS);
    }

    @Override
    public ReadyOrder order() {
        return new Lifo();
    }
}
