package dev.jacquard.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.sim.SmallCases.Case;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A part of {@link PlacementTable}: the policies choose the same places on any machine. */
class OnlineRatioTest {
    private static final List<Case> CASES = SmallCases.of(1, 30, Limits.DEFAULT.budget());

    private static void assertRatios(String policy, double median, double most) {
        double[] ratios = SmallCases.ratios(policy, CASES, false);
        assertEquals(median, SmallCases.part(ratios, 0.5), 0.0005, policy + ", median");
        assertEquals(most, SmallCases.part(ratios, 0.9), 0.0005, policy + ", 90 %");
    }

    @Test
    void decisionsTaskByTaskAreNearTheShortestPlans() {
        assertTrue(CASES.stream().filter(its -> its.shortest().isProved()).count() > 20, "proved plans");
        assertRatios("earliest-finish", 1.119, 1.249);
    }

    @Test
    void plansAreNearer() {
        assertRatios("heft", 1.036, 1.175);
        assertRatios("search", 1, 1);
    }
}
