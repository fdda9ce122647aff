package dev.jacquard.apps.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.drawing.GraphDrawing;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

    /** Edges by accesses and explicit ones. */
    @Test
    void theEngineHasTheSameEdges() {
        for (long seed = 0; seed < 500; seed++) {
            TaskProgram program = RandomPrograms.of(seed, 15);
            if (program.allTasks().noneMatch(ReplayPictureTest::isLeftOut)) {
                Replay.Run run = Replay.run(program, Replay.Options.of(2).withGraph(true));
                assertEquals(
                        named(ReplayPicture.of("ours", program, run)),
                        named(run.graph().orElseThrow()),
                        "seed " + seed);
            }
        }
    }

    /** With demotions and failures edges depend on the moment; across a barrier the picture leaves them out. */
    private static boolean isLeftOut(TaskSpec task) {
        return task.fails() || !task.demote().isEmpty() || task.has(TaskFlag.SYNCHRONIZING);
    }

    private static Set<String> named(GraphSnapshot graph) {
        return graph.edges().stream()
                .filter(edge -> edge.kind() != GraphSnapshot.Kind.BARRIER)
                .map(edge -> graph.task(edge.earlier()).name() + "-"
                        + graph.task(edge.later()).name() + " " + edge.kind())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void edgesOfThePolicyAreAdded() {
        Policy oneByOne = new Policy() {
            private @Nullable ReadyTask last;

            @Override
            public String name() {
                return "one-by-one";
            }

            @Override
            public Set<Need> needs() {
                return Set.of(Need.SUBMISSIONS);
            }

            @Override
            public @Nullable ReadyOrder order() {
                return Objects.requireNonNull(Policies.named("fifo").order());
            }

            @Override
            public void submitted(ReadyTask task, Edges edges) {
                if (last != null) {
                    edges.after(last);
                }
                last = task;
            }
        };
        TaskProgram program =
                TaskProgram.parse("p", "{\"tasks\": [{\"name\": \"a\", \"micros\": 1000}, {\"name\": \"b\"}]}");
        Replay.Run run =
                Replay.run(program, Replay.Options.of(1).withPolicy(oneByOne).withGraph(true));
        assertEquals(List.of("0-1 POLICY "), edges(ReplayPicture.of("p", program, run)));
    }

    private static GraphSnapshot graph(String json) {
        TaskProgram program = TaskProgram.parse("p", json);
        return ReplayPicture.of("p", program, untouched(program));
    }

    private static List<String> edges(GraphSnapshot graph) {
        return graph.edges().stream()
                .map(edge -> edge.earlier() + "-" + edge.later() + " " + edge.kind() + " " + edge.label())
                .toList();
    }

    private static Replay.Run untouched(TaskProgram program) {
        ReplayResult result = new ReplayResult(
                0,
                1,
                "none",
                program.tasks().stream().map(ReplayPictureTest::untouched).toList());
        return new Replay.Run(result, new Trace(Clock.system(), 0), Optional.empty(), List.of());
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
