package dev.jacquard.flow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.flow.report.ProfileComparison.Figures;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProfileComparisonTest {
    @Test
    void comparesPerItemAndTask() {
        ProfileComparison compared = FlowProfile.compare(
                ProfileJsonTest.profile("slow", 100, 5_000_000, 10_000_000),
                ProfileJsonTest.profile("slow", 200, 5_000_000, 10_000_000));
        assertEquals(
                List.of("read", "slow"),
                compared.rows().stream().map(ProfileComparison.Row::task).toList());
        ProfileComparison.Row slow = compared.rows().getLast();
        assertEquals(50_000, slow.before().orElseThrow().computeNanos());
        assertEquals(0.5, slow.ratio(Figures::computeNanos));
        assertEquals(2, slow.ratio(Figures::itemsPerSecond), 1e-9);
        assertEquals(1, compared.elapsedRatio());
        String text = compared.toText();
        assertTrue(text.contains("0.50 x") && text.contains("2.00 x"), text);
        assertTrue(
                text.contains("bottleneck: slow, 10\u2009000 items/s, 25 % busy; then slow, 20\u2009000 items/s"),
                text);
    }

    @Test
    void tasksThatOneRunLacksHaveNoRatio() {
        ProfileComparison compared = FlowProfile.compare(
                ProfileJsonTest.profile("old", 100, 5_000, 10_000), ProfileJsonTest.profile("new", 100, 5_000, 10_000));
        assertEquals(
                List.of("read", "new", "old"),
                compared.rows().stream().map(ProfileComparison.Row::task).toList());
        assertTrue(Double.isNaN(compared.rows().get(1).ratio(Figures::computeNanos)));
        assertTrue(compared.rows().get(1).before().isEmpty());
        assertTrue(compared.rows().get(2).after().isEmpty());
        assertTrue(compared.toText().contains("-"));
    }

    @Test
    void theDocumentHasTheRows() {
        FlowProfile profile = ProfileJsonTest.profile("slow", 100, 5_000_000, 10_000_000);
        Object document = Json.read(FlowProfile.compare(profile, profile).toJson());
        List<?> rows = assertInstanceOf(
                List.class, assertInstanceOf(Map.class, document).get("rows"));
        assertEquals("read", assertInstanceOf(Map.class, rows.getFirst()).get("task"));
        Map<?, ?> last = assertInstanceOf(Map.class, rows.getLast());
        assertEquals(100L, assertInstanceOf(Map.class, last.get("after")).get("items"));
    }

    @Test
    void theBottleneckIsMarked() {
        FlowProfile profile = ProfileJsonTest.profile("slow", 100, 5_000_000, 10_000_000);
        assertEquals("slow", profile.bottleneck().orElseThrow().task());
        assertTrue(profile.toSvg().contains(">bottleneck<") && profile.toSvg().contains(">10\u2009000 items/s<"));
        assertTrue(profile.toSvg().contains("copy 1 on cuda1: items 50"));
        assertTrue(profile.toDot().contains("bottleneck: 10\u2009000 items/s, 25 % busy"));
        assertTrue(profile.toText().contains("bottleneck: slow, 10\u2009000 items/s, 25 % busy"));
        FlowProfile none = ProfileJsonTest.profile("slow", 0, 0, 10);
        assertTrue(none.bottleneck().isEmpty());
        assertTrue(!none.toSvg().contains(">bottleneck<"));
    }
}
