package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.drawing.SvgWriter;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.PipelineBalance;
import dev.jacquard.flow.report.PipelineBalance.Copy;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Pictures;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Profiles, drawings and texts of graphs with pipelines. */
@Timeout(60)
class PipelineProfileTest {
    private static FlowProfile profile() {
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            MemoryEdge<int[]> buffers = g.memory("buffers", 2, () -> new int[1]);
            FlowTask<Integer, Handle<int[]>> take = g.task("take", 2, () -> (item, out) -> {
                Handle<int[]> lent = out.take(buffers);
                lent.value()[0] = item;
                out.emit(lent);
            });
            FlowTask<Handle<int[]>, Integer> release = g.task("release", 1, () -> (lent, out) -> {
                out.emit(lent.value()[0]);
                out.release(lent);
            });
            g.input().to(take.takes(buffers)).to(release.releases(buffers)).to(g.output());
        });
        FlowGraph<Integer, Integer> middle = FlowGraph.build(
                "middle", g -> g.input().to(g.pipeline("in", inner, 2)).to(g.output()));
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("out", middle, 3)).to(g.output()));
        try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
            run.sendAll(FlowTest.numbers(60));
            run.finish();
            run.forEach(item -> {});
            return run.profile();
        }
    }

    @Test
    void theProfileHasEachCopyAndThePipelinesInside() {
        FlowProfile profile = profile();
        assertEquals(
                List.of("out", "out#0/in", "out#1/in", "out#2/in"),
                profile.pipelines().stream().map(PipelineBalance::name).toList());
        assertEquals(
                List.of(20L, 20L, 20L),
                profile.pipelines().getFirst().copies().stream()
                        .map(Copy::items)
                        .toList());
        assertEquals(
                List.of(10L, 10L),
                profile.pipelines().getLast().copies().stream().map(Copy::items).toList());
        assertEquals(6, profile.memories().size());
        assertEquals(1 + 3 + 6 * 2, profile.tasks().size());
    }

    @Test
    void drawingsHaveTheGraphOnceWithTheSumsOfTheCopies() {
        FlowProfile profile = profile();
        String dot = profile.toDot();
        assertFalse(dot.contains("#0/") || dot.contains("#1/"), dot);
        assertTrue(dot.contains("\"out\" -> \"out/in\" [label=\"60\"]"), dot);
        assertTrue(dot.contains("\"out/in/take\" -> \"out/in/release\" [label=\"60\"]"), dot);
        assertTrue(dot.contains("\"out/in/take\" [label=\"out/in/take x 12\\n"), dot);
        assertTrue(dot.contains("out/in/buffers\\nlive 0, peak "), dot);
        assertTrue(dot.contains("3 copies, balance "), dot);
        String svg = profile.toSvg();
        Pictures.assertReadable("pipelines.svg", svg, SvgWriter::width);
        assertTrue(svg.contains("copies, balance") && svg.contains("busiest copy"), svg);
        assertFalse(svg.contains("#0/") || svg.contains("#1/"), svg);
    }

    @Test
    void theTextNamesTheLeastBusyCopy() {
        PipelineBalance balance = new PipelineBalance(
                "pipe",
                List.of(new Copy("cuda0", 1, 5_000, 2_000_000, 4_096, 1_024), new Copy("", 12, 1_000_000, 0, 0, 0)));
        assertEquals(0.5, balance.balance());
        assertEquals("""
                pipeline "pipe", 2 copies, the least busy one 50 % of the busiest
                  copy 0 on cuda0: 1 item, busy 2.0 ms, 4096 bytes lent, at most 1024 at once
                  copy 1: 12 items, busy 1.0 ms""", balance.toString());
        assertEquals(1, new PipelineBalance("idle", List.of(new Copy("", 0, 0, 0, 0, 0))).balance());
    }
}
