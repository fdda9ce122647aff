package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random graphs with rates: see {@link RatedFlows}. Begins at seed {@code -Djacquard.seed}, 0 by default. */
@Timeout(120)
class RatedFlowTest {
    private static final long FROM = Long.getLong("jacquard.seed", 0);
    private static final int GRAPHS = 200;

    @Test
    void aProvedGraphEndsAndARefutedOneStandsStill() {
        RatedFlows flows = new RatedFlows();
        for (long seed = FROM; seed < FROM + GRAPHS; seed++) {
            flows.check(seed, 2);
        }
        assertFalse(flows.isUnknownTooOften(), () -> flows.counts.toString());
    }
}
