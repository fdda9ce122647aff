package dev.jacquard.drawing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import dev.jacquard.insight.analysis.Graphs;
import dev.jacquard.testkit.Pictures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GraphDrawingTest {
    private static final Path PICTURES = Path.of("target", "pictures");

    /** A tiled Cholesky factorization in the middle of its run: accesses, a barrier, a group, a policy's edges. */
    private static GraphSnapshot cholesky() {
        GraphSnapshot.Builder graph = GraphSnapshot.builder("Cholesky, 4 × 4 tiles");
        int tiles = 4;
        long[][] writer = new long[tiles][tiles];
        long id = 0;
        for (int k = 0; k < tiles; k++) {
            for (int i = k; i < tiles; i++) {
                for (int j = k; j <= i; j++) {
                    String name = i == k ? "factor" : j == k ? "solve" : "update";
                    String state = id < 6 ? "DONE" : id < 8 ? "RUNNING" : id < 10 ? "READY" : "PENDING";
                    String tile = "tile[" + i + "," + j + "]";
                    Task task = Task.of(id, name + " (" + i + "," + j + ")")
                            .withState(state)
                            .withWeight(1_000L * (i == k ? 300 : j == k ? 520 : 980))
                            .withAccesses("UPDATE " + tile)
                            .withPriority(tiles - k);
                    graph.task(id < 8 ? task.withWorker((int) id % 2) : task);
                    if (k > 0) {
                        graph.edge(writer[i][j], id, Kind.IMPLICIT, tile);
                    }
                    if (i > k) {
                        graph.edge(
                                writer[j == k ? k : i][k],
                                id,
                                Kind.IMPLICIT,
                                "tile[" + (j == k ? k : i) + "," + k + "]");
                    }
                    if (i > k && j > k && i != j) {
                        graph.edge(writer[j][k], id, Kind.IMPLICIT, "tile[" + j + "," + k + "]");
                    }
                    writer[i][j] = id++;
                }
            }
        }
        graph.edge(4, 5, Kind.POLICY).edge(2, 6, Kind.POLICY);
        graph.task(Task.of(id, "report").withState("PENDING")).edge(id - 1, id, Kind.BARRIER);
        graph.task(Task.of(id + 1, "write <file> & \"close\"").withState("PENDING"));
        graph.edge(0, id + 1, Kind.EXPLICIT)
                .edge(id, id + 1, Kind.TAG, "reports")
                .edge(id, id + 1, Kind.EXPLICIT);
        return graph.build();
    }

    private static GraphSnapshot refined() {
        return GraphSnapshot.builder("refined twice")
                .task(Task.of(0, "load").withState("DONE").withWeight(4_000))
                .task(Task.of(1, "solve block").withState("RUNNING").withWeight(100))
                .task(Task.of(2, "norm").withState("PENDING"))
                .task(Task.of(3, "left half").withState("DONE").withParent(1).withWeight(2_000))
                .task(Task.of(4, "right half")
                        .withState("RUNNING")
                        .withParent(1)
                        .withWeight(100))
                .task(Task.of(5, "join halves").withState("PENDING").withParent(1))
                .task(Task.of(6, "inner a").withState("FAILED").withParent(4).withWeight(900))
                .task(Task.of(7, "inner b").withState("CANCELLED").withParent(4))
                .task(Task.of(8, "log").withState("READY").withFlags(List.of("main")))
                .edge(0, 1, Kind.IMPLICIT, "block")
                .edge(1, 2, Kind.IMPLICIT, "block")
                .edge(3, 5, Kind.IMPLICIT, "block.left")
                .edge(4, 5, Kind.IMPLICIT, "block.right")
                .edge(6, 7, Kind.IMPLICIT, "block.right.a")
                .edge(0, 4, Kind.EXPLICIT)
                .build();
    }

    private static String draw(String name, GraphSnapshot graph) throws IOException {
        Files.createDirectories(PICTURES);
        GraphDrawing drawing = GraphDrawing.of(graph);
        drawing.writeSvg(PICTURES.resolve(name + ".svg"));
        String both = drawing.sideBySide();
        Files.writeString(PICTURES.resolve(name + "-both.svg"), both);
        Files.writeString(PICTURES.resolve(name + ".dot"), drawing.toDot());
        Xml.parse(both);
        String svg = Files.readString(PICTURES.resolve(name + ".svg"));
        if (graph.tasks().size() < 10_000) {
            Pictures.assertReadable(name + "-both.svg", both, SvgWriter::width);
            Pictures.assertReadable(name + ".svg", svg, SvgWriter::width);
        }
        return svg;
    }

    /** Graphviz replaces what looks like an entity. */
    @Test
    void ampersandsAreShownInDot() {
        assertTrue(GraphDrawing.of(cholesky()).toDot().contains("label=\"write <file> &amp; \\\"close\\\""));
    }

    @Test
    void tasksThatNestDeeplyAreDrawn() {
        int levels = 3_000;
        GraphSnapshot.Builder graph = GraphSnapshot.builder("deep").task(Task.of(0, "t"));
        for (int level = 1; level < levels; level++) {
            graph.task(Task.of(level, "t").withParent(level - 1));
        }
        GraphDrawing drawing = GraphDrawing.of(graph.build());
        assertEquals(
                levels - 1,
                Pattern.compile("subgraph").matcher(drawing.toDot()).results().count());
        Xml.parse(drawing.toSvg());
    }

    @Test
    void showsEveryTaskEdgeAndStateOfAGraph() throws IOException {
        GraphSnapshot graph = cholesky();
        Xml svg = Xml.parse(draw("cholesky", graph));
        assertEquals(
                graph.edges().size(),
                Xml.parse(GraphDrawing.of(graph).withAllEdges().toSvg()).count("path", "marker-end"),
                "one line per edge: no two are for the same reason between the same tasks");
        long implied = graph.edges().size() - svg.count("path", "marker-end");
        assertTrue(implied > 0);
        assertTrue(svg.texts().stream().anyMatch(text -> text.contains("(without " + implied + " implied)")));
        assertTrue(svg.texts().stream().anyMatch(text -> text.matches("work .*, longest path .*, parallelism \\d.*")));
        assertTrue(svg.texts().contains("waits for no task"));
        assertTrue(svg.texts().contains("write <file> & \"close\""), svg.texts().toString());
        assertTrue(svg.texts().containsAll(List.of("pending", "ready", "running", "done", "by the policy", "barrier")));
        assertTrue(svg.titles().stream().anyMatch(title -> title.contains("accesses: UPDATE tile[1,0]")));
        assertFalse(svg.texts().toString().contains("Not all is drawn"));
    }

    @Test
    void drawsBothGraphsWithEachTaskAtTheSamePlace() {
        Xml svg = Xml.parse(GraphDrawing.of(cholesky()).sideBySide());
        List<String> boxes = svg.boxes();
        assertEquals(boxes.subList(0, boxes.size() / 2), boxes.subList(boxes.size() / 2, boxes.size()));
        String all = GraphDrawing.of(cholesky()).withAllEdges().sideBySide();
        assertEquals(2 * cholesky().edges().size() - 2, Xml.parse(all).count("path", "marker-end"));
    }

    /** The other edges order the same tasks, and none follows from others; edges of policies stay. */
    @Test
    void edgesThatFollowFromOthersAreLeftOut() {
        for (int seed = 0; seed < 200; seed++) {
            GraphSnapshot graph = Graphs.random(seed, 25, seed % 2 == 1);
            GraphSnapshot reduced = TransitiveReduction.of(graph);
            boolean[][] before = paths(graph, null);
            assertArrayEquals(before, paths(reduced, null), "seed " + seed);
            assertEquals(policies(graph), policies(reduced));
            for (GraphSnapshot.Edge edge : reduced.edges()) {
                int from = graph.indexOf(edge.earlier());
                int to = graph.indexOf(edge.later());
                boolean isPolicy = edge.kind() == Kind.POLICY;
                assertTrue(isPolicy || !paths(reduced, edge)[from][to], "seed " + seed + ": " + edge);
            }
        }
    }

    private static List<GraphSnapshot.Edge> policies(GraphSnapshot graph) {
        return graph.edges().stream().filter(edge -> edge.kind() == Kind.POLICY).toList();
    }

    /** Returns which tasks are before which by edges of other kinds than policies, without those between two tasks. */
    private static boolean[][] paths(GraphSnapshot graph, GraphSnapshot.@Nullable Edge without) {
        int count = graph.tasks().size();
        boolean[][] before = new boolean[count][count];
        for (GraphSnapshot.Edge edge : graph.edges()) {
            boolean isLeftOut =
                    without != null && edge.earlier() == without.earlier() && edge.later() == without.later();
            if (edge.kind() != Kind.POLICY && !isLeftOut) {
                before[graph.indexOf(edge.earlier())][graph.indexOf(edge.later())] = true;
            }
        }
        for (int via = 0; via < count; via++) {
            for (int from = 0; from < count; from++) {
                for (int to = 0; to < count && before[from][via]; to++) {
                    before[from][to] |= before[via][to];
                }
            }
        }
        return before;
    }

    @Test
    void aLabelThatAllLinesHaveStandsInTheLegend() {
        GraphSnapshot.Builder graph = GraphSnapshot.builder("one resource").task(0, "first");
        for (int i = 1; i < 5; i++) {
            graph.task(i, "next").edge(i - 1, i, Kind.IMPLICIT, "u");
        }
        List<String> texts = Xml.parse(GraphDrawing.of(graph.build()).toSvg()).texts();
        assertTrue(texts.contains("by accesses: u"), texts.toString());
        assertFalse(texts.contains("u"));
        graph.task(5, "last").edge(0, 5, Kind.IMPLICIT, "v");
        texts = Xml.parse(GraphDrawing.of(graph.build()).toSvg()).texts();
        assertTrue(texts.containsAll(List.of("u", "v", "by accesses")), texts.toString());
    }

    /** Names and headings that are too long end in an ellipsis, whatever their letters; the pointer brings up all. */
    @Test
    void wideNamesAreCutOffInsideTheirBoxes() throws IOException {
        String wide = "MWM@%WQ".repeat(12);
        GraphSnapshot.Builder graph = GraphSnapshot.builder(wide + wide).task(0, wide);
        graph.task(Task.of(1, "漢字".repeat(30)).withWorker(Integer.MAX_VALUE).withWeight(Long.MAX_VALUE / 4));
        graph.task(Task.of(2, wide).withParent(1)).edge(0, 1, Kind.IMPLICIT, wide);
        Xml svg = Xml.parse(draw("wide", graph.build()));
        assertTrue(svg.titles().contains(wide));
    }

    @Test
    void drawsSubTasksInsideTheirParent() throws IOException {
        draw("refined", refined());
        GraphLayout layout = new GraphLayout(refined(), 100, 100);
        for (Task task : refined().tasks()) {
            int inner = (int) task.id();
            int outer = (int) task.parent();
            assertTrue(!task.hasParent()
                    || (layout.x(inner) > layout.x(outer)
                            && layout.y(inner) > layout.y(outer)
                            && layout.x(inner) + layout.width(inner) < layout.x(outer) + layout.width(outer)
                            && layout.y(inner) + layout.height(inner) < layout.y(outer) + layout.height(outer)));
        }
    }

    @Test
    void boxesDoNotOverlapAndLinesBetweenSiblingsRunDownwards() {
        for (int seed = 0; seed < 300; seed++) {
            GraphLayout layout = new GraphLayout(Graphs.random(seed, 30, seed % 2 == 1), 1_000, 1_000);
            GraphSnapshot graph = Graphs.random(seed, 30, seed % 2 == 1);
            for (int a = 0; a < layout.tasks; a++) {
                for (int b = 0; b < a; b++) {
                    boolean siblings = graph.tasks().get(a).parent()
                            == graph.tasks().get(b).parent();
                    assertFalse(siblings && overlap(layout, a, b), "seed " + seed + ": " + b + " and " + a);
                }
            }
            for (GraphLayout.Line line : layout.lines) {
                double end = layout.y(line.from()) + layout.height(line.from());
                assertTrue(end < layout.y(line.to()), "seed " + seed);
            }
        }
    }

    private static boolean overlap(GraphLayout layout, int a, int b) {
        return layout.x(a) < layout.x(b) + layout.width(b)
                && layout.x(b) < layout.x(a) + layout.width(a)
                && layout.y(a) < layout.y(b) + layout.height(b)
                && layout.y(b) < layout.y(a) + layout.height(a);
    }

    @Test
    void drawsSmallAndOddGraphs() throws IOException {
        draw("worked-example", Graphs.workedExample());
        draw("none", GraphSnapshot.builder("none").build());
        draw(
                "odd",
                GraphSnapshot.builder("odd \u0001 \ud800 \uffff").task(5, "").build());
        GraphSnapshot.Builder field = GraphSnapshot.builder("independent");
        for (int i = 0; i < 200; i++) {
            field.task(i, "task " + i);
        }
        draw("independent", field.build());
        draw("stencil", Graphs.layered(8, 8));
        for (int seed = 0; seed < 100; seed++) {
            String both = GraphDrawing.of(Graphs.random(seed, 20, true)).sideBySide();
            Xml.parse(both);
            Pictures.assertReadable("seed " + seed, both, SvgWriter::width);
        }
    }

    @Test
    void aGraphBeyondTheLimitIsDrawnInPartAndThePictureSaysSo() throws IOException {
        GraphSnapshot large = Graphs.layered(1_000, 100);
        String svg = assertTimeoutPreemptively(Duration.ofSeconds(20), () -> draw("large", large));
        assertTrue(svg.contains("Not all is drawn: the first 2\u2009000 tasks"));
        String small = GraphDrawing.of(large).withLimit(10).toSvg();
        assertTrue(small.length() < 20_000, "length " + small.length());
        assertThrows(
                IllegalArgumentException.class, () -> GraphDrawing.of(large).withLimit(0));
    }

    /** A chain with edges from every task to every one: as many way points as there can be. */
    @Test
    void aGraphOfLongEdgesComesBackSoon() {
        GraphSnapshot.Builder builder = GraphSnapshot.builder("all before all").task(0, "t");
        for (int later = 1; later < 1_000; later++) {
            builder.task(later, "t");
            for (int earlier = 0; earlier < later; earlier++) {
                builder.edge(earlier, later, Kind.IMPLICIT, "r" + earlier);
            }
        }
        GraphSnapshot dense = builder.build();
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> Xml.parse(GraphDrawing.of(dense).toSvg()));
    }

    @Test
    void graphvizReadsTheDot() throws IOException, InterruptedException {
        draw("cholesky", cholesky());
        draw("refined", refined());
        assumeTrue(hasGraphviz(), "Graphviz is not installed");
        for (String name : List.of("cholesky", "refined")) {
            Process dot = new ProcessBuilder(
                            "dot",
                            "-Tsvg",
                            "-o",
                            name + "-dot.svg",
                            PICTURES.resolve(name + ".dot").getFileName().toString())
                    .directory(PICTURES.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(dot.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, dot.waitFor(), said);
        }
    }

    private static boolean hasGraphviz() throws InterruptedException {
        try {
            return new ProcessBuilder("dot", "-V").start().waitFor() == 0;
        } catch (IOException absent) {
            return false;
        }
    }
}
