package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.drawing.GraphDrawing;
import dev.jacquard.insight.analysis.GraphAnalysis;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.data.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graphs as pictures and figures, runs as they are now, and bodies that are watched. */
class LookingTest {
    @Test
    void aGraphIsDrawn(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("graph.svg");
        try (Session session = Session.builder().keepGraphs().open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph();
            graph.task("init").writes(x).run(ctx -> ctx.get(x)[0] = 1);
            graph.task("left").reads(x).run(ctx -> {});
            graph.task("right").reads(x).run(ctx -> {});
            graph.await();
            GraphSnapshot history = graph.history();
            GraphDrawing.of(history).writeSvg(file);
            assertEquals(2, GraphAnalysis.of(history.dependencyGraph()).depth());
            assertEquals(2, history.edges().size());
        }
        assertTrue(Files.readString(file).contains("<svg"));
    }

    @Test
    void aSnapshotSaysWhatIsGoingOn() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph();
            graph.task("factor").updates(x).run(ctx -> {});
            graph.task("solve").reads(x).run(ctx -> {});
            String text = graph.snapshot().toString();
            assertTrue(text.contains("\"solve\" waits for \"factor\" (READ x after UPDATE)"), text);
        }
    }

    @Test
    void checkingModeFindsWhatWasNotDeclared() {
        try (Session session = Session.builder().checking().open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph();
            graph.task("scale").reads(x).run(ctx -> ctx.get(x)[0]++);
            String message =
                    assertThrows(TaskFailedException.class, graph::await).toString();
            assertTrue(message.contains("which it declared as READ"), message);
        }
    }
}
