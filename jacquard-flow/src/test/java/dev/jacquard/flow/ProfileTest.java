package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.drawing.SvgWriter;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Pictures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ProfileTest {
    /** A graph in the shape of the image stitching: a memory edge, a bookkeeper, a cycle, a skipped layer. */
    private static FlowGraph<Integer, Integer> stitching() {
        return FlowGraph.build("plate \"A\" <5 & 5>", g -> {
            MemoryEdge<double[]> transforms = g.memory("transforms", 4, () -> new double[16]);
            FlowTask<Integer, Integer> read = g.task("read tile", 2, () -> (n, out) -> out.emit(n));
            FlowTask<Integer, Handle<double[]>> fft =
                    g.task("forward transform", 2, () -> (n, out) -> out.emit(out.take(transforms)));
            Bookkeeper<Handle<double[]>> pair = g.bookkeeper("pairs");
            FlowTask<Handle<double[]>, Integer> correlate = g.task("correlate & find peaks", 4, () -> (h, out) -> {
                out.release(h);
                out.emit(1);
            });
            FlowTask<Integer, Integer> log = g.task("log", 1, () -> (n, out) -> out.emit(n));
            FlowTask<Integer, Integer> refine = g.task("refine", 1, () -> (n, out) -> {
                if (n < 3) {
                    out.emit(n + 1);
                }
            });
            refine.terminatedWhen(Termination.whenDrained());
            g.input().to(read).to(fft.takes(transforms)).to(pair);
            pair.<Handle<double[]>>rule((h, pipeline, out) -> out.emit(h))
                    .to(correlate.releases(transforms))
                    .to(refine)
                    .to(refine);
            read.to(log).to(g.output());
            correlate.to(g.output());
        });
    }

    private static FlowProfile profileOf(FlowGraph<Integer, Integer> graph, SeededWorkers workers) {
        try (FlowRun<Integer, Integer> run = graph.start(workers)) {
            FlowTest.numbers(500).forEach(run::send);
            run.profile().toSvg();
            run.finish();
            workers.runSome(40);
            run.profile().toSvg();
            int results = 0;
            for (Integer result : run) {
                assertTrue(result >= 0);
                results++;
            }
            assertEquals(1000, results);
            return run.profile();
        }
    }

    @Test
    void countsItemsQueuesAndBuffers() {
        FlowProfile profile = profileOf(stitching(), new SeededWorkers(1));
        FlowProfile.Memory transforms = profile.memories().getFirst();
        assertEquals(500, transforms.taken());
        assertEquals(0, transforms.live());
        assertTrue(transforms.peak() <= 4 && transforms.peak() > 0);
        assertEquals(List.of("forward transform"), transforms.takers());
        assertEquals(List.of("correlate & find peaks"), transforms.releasers());
        for (FlowProfile.Task task : profile.tasks()) {
            assertTrue(task.computeNanos() > 0 && task.waitNanos() > 0, task.toString());
            assertEquals(0, task.queued());
            assertEquals(0, task.activeProducers());
            assertEquals(task.name().equals("refine") ? 500 * 3 : 500, task.itemsIn());
        }
    }

    @Test
    void drawsWellFormedPictures() throws IOException {
        FlowProfile profile = profileOf(stitching(), new SeededWorkers(1));
        String svg = profile.toSvg();
        checkTags(svg);
        Pictures.assertReadable("profile.svg", svg, SvgWriter::width);
        assertTrue(svg.contains("plate &quot;A&quot; &lt;5 &amp; 5&gt;"));
        assertTrue(profile.toDot().startsWith("digraph \"plate \\\"A\\\" <5 &amp; 5>\" {"));
        Path file = Path.of("target", "profile.svg");
        profile.writeSvg(file);
        assertEquals(svg, Files.readString(file));
    }

    /** Every tag is closed, and nothing that is not a tag looks like one. */
    private static void checkTags(String xml) {
        Deque<String> open = new ArrayDeque<>();
        Matcher tag =
                Pattern.compile("<(/?)(\\w+)((?: [\\w-]+=\"[^\"<]*\")*)(/?)>").matcher(xml);
        StringBuilder rest = new StringBuilder();
        int from = 0;
        while (tag.find()) {
            rest.append(xml, from, tag.start());
            from = tag.end();
            if (!tag.group(1).isEmpty()) {
                assertEquals(open.pop(), tag.group(2));
            } else if (tag.group(4).isEmpty()) {
                open.push(tag.group(2));
            }
        }
        assertTrue(open.isEmpty());
        assertEquals(xml.length(), from + 1);
        assertFalse(Pattern.compile("[<>]|&(?!(lt|gt|amp|quot);)").matcher(rest).find());
    }

    @Test
    void everyItemIsASpanWhileTheTraceIsOn() {
        SeededWorkers workers = new SeededWorkers(1, 8192);
        profileOf(stitching(), workers);
        List<String> names = new ArrayList<>();
        TraceLane lane = workers.lane();
        lane.spans(span -> names.add(workers.trace().nameOf(span.nameId())));
        assertEquals(500, names.stream().filter("forward transform"::equals).count());
        assertEquals(1500, names.stream().filter("refine"::equals).count());
    }
}
