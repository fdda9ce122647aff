package dev.jacquard.apps.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.replay.format.ProgramReader;
import dev.jacquard.apps.replay.program.EndState;
import dev.jacquard.apps.replay.program.ReplayResult;
import dev.jacquard.apps.replay.program.TaskProgram;
import dev.jacquard.apps.replay.program.TaskResult;
import dev.jacquard.apps.replay.program.TaskSpec;
import dev.jacquard.core.analysis.GraphSnapshot;
import dev.jacquard.core.drawing.GraphDrawing;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayPictureTest {
    @Test
    void edgesAreThoseThatMatter() {
        GraphSnapshot graph = graph("""
                {"resources": [{"name": "x"}, {"name": "x.l", "parent": "x"}, {"name": "b", "unordered": true}], "tasks": [
                 {"name": "w0", "accesses": [{"resource": "x", "mode": "overwrite"}, {"resource": "b", "mode": "write"}]},
                 {"name": "r1", "accesses": [{"resource": "x", "mode": "read"}, {"resource": "b", "mode": "write"}]},
                 {"name": "l2", "accesses": [{"resource": "x.l", "mode": "write"}]},
                 {"name": "w3", "accesses": [{"resource": "x", "mode": "write"}]},
                 {"name": "r4", "after": ["w0"], "accesses": [{"resource": "x.l", "mode": "read"}]}]}
                """);
        assertEquals(
                List.of(
                        "0-1 IMPLICIT x",
                        "0-2 IMPLICIT x.l",
                        "1-2 IMPLICIT x.l",
                        "0-3 IMPLICIT x",
                        "1-3 IMPLICIT x",
                        "2-3 IMPLICIT x",
                        "0-4 EXPLICIT ",
                        "3-4 IMPLICIT x.l"),
                edges(graph));
    }

    @Test
    void barriersWaitForWhatNothingElseWaitsFor() {
        GraphSnapshot graph = graph("""
                {"resources": [{"name": "x"}], "tasks": [
                 {"name": "a", "accesses": [{"resource": "x", "mode": "write"}]},
                 {"name": "b", "accesses": [{"resource": "x", "mode": "write"}]},
                 {"name": "c"},
                 {"name": "sync", "flags": ["synchronizing"]},
                 {"name": "d", "accesses": [{"resource": "x", "mode": "write"}]},
                 {"name": "e", "accesses": [{"resource": "x", "mode": "write"}]}]}
                """);
        assertEquals(
                List.of("0-1 IMPLICIT x", "1-3 BARRIER ", "2-3 BARRIER ", "3-4 BARRIER ", "4-5 IMPLICIT x"),
                edges(graph));
    }

    @Test
    void everyProgramCanBeDrawn() {
        for (long seed = 0; seed < 200; seed++) {
            TaskProgram program = RandomPrograms.of(seed, 15);
            GraphSnapshot graph = ReplayPicture.of("seed " + seed, program, untouched(program));
            assertEquals(program.allTasks().count(), graph.tasks().size());
            assertTrue(GraphDrawing.of(graph).sideBySide().startsWith("<svg"));
        }
    }

    private static GraphSnapshot graph(String json) {
        TaskProgram program = ProgramReader.parse("p", json);
        return ReplayPicture.of("p", program, untouched(program));
    }

    private static List<String> edges(GraphSnapshot graph) {
        return graph.edges().stream()
                .map(edge -> edge.earlier() + "-" + edge.later() + " " + edge.kind() + " " + edge.label())
                .toList();
    }

    private static ReplayResult untouched(TaskProgram program) {
        return new ReplayResult(
                0,
                1,
                "none",
                program.tasks().stream().map(ReplayPictureTest::untouched).toList());
    }

    private static TaskResult untouched(TaskSpec task) {
        return new TaskResult(
                task.name(),
                EndState.CANCELLED,
                null,
                List.of(),
                task.refine().stream().map(ReplayPictureTest::untouched).toList());
    }
}
