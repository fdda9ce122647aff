package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraph.OverlapRule;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.graph.RunEndedException;
import dev.jacquard.core.graph.RunSnapshot;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.testing.EmulatedKernels;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compiled graphs as listeners, snapshots and drawings show them. */
@Timeout(180)
class CompiledSeenTest {
    @Test
    void aListenerIsToldWhenTasksRunAndHowTheyEnd() {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        try (Session session = Session.builder()
                .workers(2)
                .listener(change -> told.add(change.graph() + "/" + change.task() + " " + change.state()))
                .open()) {
            CompiledGraphBuilder builder = session.compile("step");
            int fails = builder.task("fails", ctx -> {
                throw new Exception("planned");
            });
            int after = builder.task("after", ctx -> {});
            int beside = builder.task("beside", ctx -> {});
            builder.edge(fails, after, true);
            builder.edge(fails, beside, false);
            CompiledGraph graph = builder.build();
            assertThrows(TaskFailedException.class, graph::run);
        }
        assertEquals(
                List.of(
                        "step/after CANCELLED",
                        "step/beside DONE",
                        "step/beside RUNNING",
                        "step/fails FAILED",
                        "step/fails RUNNING"),
                told.stream().sorted().toList());
    }

    /** Tasks that become ready together run in a row, and only one of them on each worker. */
    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "2, false", "2, true"})
    void aSnapshotNamesTheTaskThatRunsOfThoseInARow(int workers, boolean joined) {
        List<RunSnapshot> seen = Collections.synchronizedList(new ArrayList<>());
        try (Session session = Session.builder().workers(workers).open()) {
            CompiledGraphBuilder builder = session.compile("step");
            CountDownLatch looked = new CountDownLatch(1);
            List<Integer> row = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                boolean looks = i == 12;
                row.add(builder.task("s" + i, ctx -> {
                    if (looks) {
                        seen.add(session.snapshot());
                        looked.countDown();
                    }
                }));
            }
            if (joined) {
                int end = builder.task("end", ctx -> {});
                row.forEach(task -> builder.edge(task, end, true));
            }
            CompiledGraph graph = builder.build();
            graph.start();
            if (workers == 2) {
                Watchdog.await(looked, "the task that looks, on the worker that is not this thread");
            }
            graph.join();
        }
        List<RunSnapshot.TaskView> tasks = seen.getFirst().tasks();
        assertEquals(List.of("s12"), names(tasks, TaskState.RUNNING));
        assertEquals(
                IntStream.range(13, 20).mapToObj(i -> "s" + i).toList(),
                names(tasks, TaskState.READY),
                tasks::toString);
        assertEquals(joined ? List.of("end") : List.of(), names(tasks, TaskState.PENDING));
    }

    private static List<String> names(List<RunSnapshot.TaskView> tasks, TaskState state) {
        return tasks.stream()
                .filter(task -> task.state() == state)
                .map(RunSnapshot.TaskView::name)
                .toList();
    }

    @Test
    void aListenerThatThrowsEndsTheRun() {
        Session session = Session.builder()
                .workers(1)
                .listener(change -> {
                    throw new IllegalStateException("enough");
                })
                .open();
        CompiledGraphBuilder builder = session.compile("step");
        AtomicInteger ran = new AtomicInteger();
        int first = builder.task("first", ctx -> ran.incrementAndGet());
        builder.edge(first, builder.task("second", ctx -> ran.incrementAndGet()), true);
        assertMentions(
                assertThrows(RunEndedException.class, builder.build()::run),
                "enough",
                "compiled graph \"step\" was cancelled: ");
        assertEquals(1, ran.get());
        session.graph().task("live").run(ctx -> {});
        assertThrows(RunEndedException.class, session.graph()::await);
        session.close();
    }

    @Test
    void aListenerThatThrowsAtALiveTaskEndsRunsInFlight() {
        Session session = Session.builder()
                .workers(2)
                .listener(change -> {
                    if (change.task().equals("live")) {
                        throw new IllegalStateException("enough");
                    }
                })
                .open();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger after = new AtomicInteger();
        CompiledGraphBuilder builder = session.compile("step");
        int first = builder.task("first", ctx -> {
            inside.countDown();
            Watchdog.await(ended, "the end of the run");
        });
        builder.edge(first, builder.task("second", ctx -> after.incrementAndGet()), true);
        CompiledGraph graph = builder.build();
        graph.start();
        Watchdog.await(inside, "the body");
        session.graph().task("live").run(ctx -> {});
        assertThrows(RunEndedException.class, session.graph()::await);
        ended.countDown();
        assertMentions(
                assertThrows(RunEndedException.class, graph::join), "enough", "compiled graph \"step\" was cancelled");
        assertEquals(0, after.get());
        assertThrows(RunEndedException.class, graph::run);
        session.close();
    }

    @Test
    void aListenerThatThrowsInAnInnerGraphEndsTheOuterRun() {
        Session session = Session.builder()
                .workers(2)
                .listener(change -> {
                    if (change.task().equals("inside")) {
                        throw new IllegalStateException("enough");
                    }
                })
                .open();
        CompiledGraph inner = session.record("inner", rec -> rec.task("inside").run(ctx -> {}));
        CompiledGraph outer = session.record("outer", rec -> rec.graph("in", inner));
        assertMentions(assertThrows(RunEndedException.class, outer::run), "enough", "\"inside\"");
        session.close();
    }

    private static void assertSays(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), () -> "expected \"" + part + "\" in\n" + text);
        }
    }

    @Test
    void aSnapshotCountsAndNamesWhatRuns() {
        try (Session session = Session.builder().workers(2).open()) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            CompiledGraphBuilder builder = session.compile("step");
            builder.task("long", ctx -> {
                inside.countDown();
                Watchdog.await(goOn, "the snapshot");
            });
            CompiledGraph graph = builder.build();
            graph.start();
            Watchdog.await(inside, "the body");
            RunSnapshot snapshot = session.snapshot();
            goOn.countDown();
            graph.join();
            assertEquals(1, snapshot.running().size(), snapshot.toString());
            assertEquals("long", snapshot.running().getFirst().name());
            assertEquals("step", snapshot.running().getFirst().graph());
        }
    }

    /** A kernel that waits on a device, a task behind an inner graph, and one that may not run yet. */
    @Test
    void aSnapshotShowsWhatWaitsAndWhy() {
        try (Session session = EmulatedKernels.session(2, 1)) {
            CountDownLatch inside = new CountDownLatch(2);
            CountDownLatch goOn = new CountDownLatch(1);
            Data x = session.data().vector("x", new double[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            Kernel waits = EmulatedKernels.kernel("waits", () -> {}, launch -> {
                inside.countDown();
                EmulatedKernels.await(goOn);
            });
            CompiledGraph inner = session.record(
                    "inner",
                    rec -> rec.task("within").updates(y).run(ctx -> {
                        inside.countDown();
                        EmulatedKernels.await(goOn);
                    }));
            CompiledGraph graph = session.record("outer", rec -> {
                rec.task("kernel").updates(x).run(waits);
                rec.task("next").updates(x).run(waits);
                rec.graph("nested", inner);
                rec.task("last").reads(y).reads(x).run(ctx -> {});
            });
            graph.start();
            Watchdog.await(inside, "the kernel and the inner task");
            Watchdog.until(() -> session.snapshot().running().size() == 1, "the device's worker has told the device");
            RunSnapshot snapshot = session.snapshot();
            goOn.countDown();
            graph.join();
            assertSays(
                    snapshot.toString(),
                    "1 running, 0 ready, 4 blocked",
                    "\"within\" on worker ",
                    "\"kernel\" waits for its stage (asynchronous: its kernel runs on emulated0)  [UPDATE x]",
                    "\"nested\" waits for its run (of compiled graph \"inner\")  [UPDATE y]",
                    "\"next\" waits for \"kernel\"",
                    "\"last\" waits for \"nested\"");
        }
    }

    @Test
    void aSnapshotShowsWhatTheLimitOfTasksHoldsBack() {
        try (Session session = Session.builder().workers(3).open()) {
            CountDownLatch goOn = new CountDownLatch(1);
            CompiledGraph graph = session.record("graph", rec -> {
                Task<?> first = rec.task("first").run(ctx -> {});
                rec.task("task").after(first).run(ctx -> EmulatedKernels.await(goOn));
                rec.task("task").after(first).run(ctx -> EmulatedKernels.await(goOn));
            });
            graph.threads(1, 1);
            graph.start();
            Watchdog.until(() -> session.snapshot().toString().contains("held back"), "a worker has asked for both");
            RunSnapshot snapshot = session.snapshot();
            goOn.countDown();
            graph.join();
            assertSays(
                    snapshot.toString(),
                    "1 running, 1 ready, 0 blocked",
                    "\"task\" held back, since as many tasks run as may");
        }
    }

    @Test
    void aDrawingHoldsNoCharactersThatNoneMayHold() {
        try (Session session = Session.builder().workers(1).open()) {
            CompiledGraph graph = session.record("a\u0001 \"b\"", rec -> {
                rec.task("line 1\nline 2\u0000").run(ctx -> {});
                rec.task("half \uD83D, whole \uD83D\uDE00").run(ctx -> {});
            });
            String dot = graph.toDot();
            assertTrue(dot.startsWith("digraph \"a\uFFFD \\\"b\\\"\" {\n"), dot);
            assertTrue(dot.contains("label=\"line 1\\nline 2\uFFFD\""), dot);
            assertTrue(dot.contains("label=\"half \uFFFD, whole \uD83D\uDE00\""), dot);
        }
    }

    /** Graphviz replaces what looks like an entity. */
    @Test
    void aDrawingShowsAmpersands() {
        try (Session session = Session.builder().workers(1).open()) {
            CompiledGraph graph =
                    session.record("a & b", rec -> rec.task("&lt; x").run(ctx -> {}));
            assertTrue(graph.toDot().startsWith("digraph \"a &amp; b\" {\n"), graph.toDot());
            assertTrue(graph.toDot().contains("label=\"&amp;lt; x\""), graph.toDot());
        }
    }

    @Test
    void graphsThatNestDeeplyAreDrawn() {
        int levels = 3_000;
        try (Session session = Session.builder().workers(1).open()) {
            CompiledGraphBuilder innermost = session.compile("g");
            innermost.task("t", context -> {});
            CompiledGraph graph = innermost.build();
            for (int level = 1; level < levels; level++) {
                CompiledGraphBuilder around = session.compile("g");
                around.graph("t", graph);
                graph = around.build();
            }
            String dot = graph.toDot();
            assertEquals(
                    levels - 1,
                    Pattern.compile("subgraph").matcher(dot).results().count());
            assertEquals(levels, dot.chars().filter(c -> c == '{').count());
            assertEquals(levels, dot.chars().filter(c -> c == '}').count());
            GraphSnapshot snapshot = graph.snapshot();
            assertEquals(levels, snapshot.tasks().size());
            assertEquals(levels - 2, snapshot.tasks().getLast().parent());
        }
    }

    @Test
    void aDrawingShowsBranchesInnerGraphsAndRepetition() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            CompiledGraph inner =
                    session.record("inner", rec -> rec.task("within").updates(x).run(ctx -> {}));
            CompiledGraph graph = session.record("outer", rec -> {
                rec.choose("which", t -> t.reads(x), 2, ctx -> 0)
                        .in(0, then -> then.task("zero").updates(x).run(ctx -> {}))
                        .in(1, then -> then.task("one").updates(x).run(ctx -> {}));
                rec.graph("nested", inner);
                rec.repeatWhile("again?", t -> t.reads(x), ctx -> false);
            });
            String dot = graph.toDot();
            for (String part : List.of(
                    "0 [label=\"which\", shape=diamond];",
                    "0 -> 1 [label=\"branch 0\"];",
                    "0 -> 2 [label=\"branch 1\"];",
                    "3 [label=\"nested: graph inner\", shape=box];",
                    "subgraph \"cluster_3\" { label=\"inner\";",
                    "\"3.0\" [label=\"within\"];",
                    "4 [label=\"again?\", shape=diamond];",
                    "4 -> 0 [style=dotted, constraint=false, label=\"again\"];")) {
                assertTrue(dot.contains(part), "expected " + part + " in\n" + dot);
            }
        }
    }

    @Test
    void aGraphUsedTwiceSideBySideQueuesOrIsRefusedWhenItIsBuilt() {
        try (Session session = Session.builder().workers(2).open()) {
            AtomicInteger ran = new AtomicInteger();
            CompiledGraph refuses =
                    session.record("refuses", rec -> rec.task("t").run(ctx -> ran.incrementAndGet()));
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> session.record("outer", rec -> {
                                rec.graph("left", refuses);
                                rec.graph("right", refuses);
                            })),
                    "\"left\"",
                    "\"right\"",
                    "\"refuses\"",
                    "OverlapRule.QUEUE");
            CompiledGraph queues = session.record("queues", rec -> {
                rec.whenBusy(OverlapRule.QUEUE);
                rec.task("t").run(ctx -> ran.incrementAndGet());
            });
            CompiledGraph outer = session.record("outer", rec -> {
                rec.graph("left", queues);
                rec.graph("right", queues);
            });
            for (int i = 0; i < 100; i++) {
                outer.run();
            }
            assertEquals(200, ran.get());
            Handle<int[]> x = session.wrap("x", new int[1]);
            CompiledGraph ordered =
                    session.record("ordered", rec -> rec.task("t").updates(x).run(ctx -> ran.incrementAndGet()));
            session.record("one after the other", rec -> {
                        rec.graph("first", ordered);
                        rec.graph("second", ordered);
                    })
                    .run();
            assertEquals(202, ran.get());
        }
    }
}
