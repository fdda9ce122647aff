package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Mute;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said, by whom and to whom, when a task does not end well. */
@Timeout(180)
class FailureTest {
    private static final TaskBody NOTHING = context -> {};

    @Test
    void theMessageHasTaskWorkerAccessesCauseAndConsequences() {
        Session session = Session.builder().workers(1).noChecking().open();
        Handle<int[]> x = session.wrap("x", new int[1]);
        Handle<int[]> y = session.wrap("y", new int[1]);
        IOException cause = new IOException("disk full");
        TaskGraph graph = session.graph();
        Task<?> writer = graph.task("store x").updates(x).reads(y).run(context -> {
            throw cause;
        });
        Task<?> reader = graph.task("show x").reads(x).run(NOTHING);
        Task<?> other = graph.task("count y").reads(y).run(NOTHING);

        TaskFailedException thrown = assertThrows(TaskFailedException.class, graph::await);
        assertMentions(
                thrown, "task \"store x\" failed on worker 0 (UPDATE x, READ y): java.io.IOException: disk full");
        assertMentions(thrown, "3 tasks: 1 done, 1 failed, 1 cancelled, 0 pending; first cancelled: \"show x\"");
        assertSame(cause, thrown.getCause());
        assertEquals("store x", thrown.task());
        assertEquals(TaskState.FAILED, writer.state());
        assertEquals(TaskState.CANCELLED, reader.state());
        assertEquals(TaskState.DONE, other.state());
        session.close();
    }

    /** Live, behind a stage, and in a compiled graph; the session goes on. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void anErrorWithoutATextDoesNotHideTheFailure(int workers) {
        Session session = Session.builder().workers(workers).open();
        TaskBody bad = context -> {
            throw new Mute();
        };
        Task<?> live = session.graph().task("live").run(bad);
        CompletableFuture<?> stage = live.stage().toCompletableFuture();
        TaskFailedException thrown = assertThrows(TaskFailedException.class, live::join);
        assertMentions(thrown, "task \"live\" failed", "Mute (its toString failed with", "IllegalStateException");
        assertThrows(CompletionException.class, stage::join);
        CompiledGraph compiled =
                session.record("compiled", rec -> rec.task("recorded").run(bad));
        assertMentions(assertThrows(TaskFailedException.class, compiled::run), "task \"recorded\" failed", "Mute");
        assertEquals(3, session.graph().task("other").call(context -> 3).join());
        session.close();
    }

    @Test
    void anAccessWithoutATextDoesNotHideTheFailure() {
        Access mute = new Access() {
            @Override
            public boolean conflictsWith(Access earlier) {
                return true;
            }

            @Override
            public boolean covers(Access other) {
                return true;
            }

            @Override
            public boolean reads() {
                return true;
            }

            @Override
            public boolean writes() {
                return true;
            }

            @Override
            public String toString() {
                throw new IllegalStateException("no text");
            }
        };
        Session session = Session.builder().workers(1).open();
        TaskGraph graph = session.graph();
        graph.task("fails").accesses(session.resource("r"), mute).run(context -> {
            throw new IOException("disk full");
        });
        TaskFailedException thrown = assertThrows(TaskFailedException.class, graph::await);
        assertMentions(thrown, "disk full");
        assertMentions(thrown, "no text");
        session.close();
    }

    @Test
    void joiningACancelledTaskTellsThePathFromTheFailure() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph();
            failing(graph, "root", x, new IOException("gone"));
            Task<?> last = graph.task("step 0").updates(x).run(NOTHING);
            for (int i = 1; i < 12; i++) {
                last = graph.task("step " + i).updates(x).run(NOTHING);
            }
            TaskFailedException thrown = assertThrows(TaskFailedException.class, last::join);
            assertMentions(thrown, "task \"root\" failed", "gone");
            assertMentions(
                    thrown,
                    "so \"root\" -> \"step 0\" -> \"step 1\" -> \"step 2\" -> … 5 more … -> \"step 8\" -> \"step 9\""
                            + " -> \"step 10\" -> \"step 11\" was cancelled");
            graph.await();
        }
    }

    @Test
    void otherFailuresAreSuppressedAndTheirNumberIsBounded() {
        try (Session session = Session.builder().workers(1).open()) {
            for (int i = 0; i < 40; i++) {
                failing(session.graph(), "f" + i, session.wrap("x", new int[1]), new IOException("no " + i));
            }
            TaskFailedException thrown = assertThrows(TaskFailedException.class, session.graph()::await);
            assertEquals(15, thrown.getSuppressed().length);
            assertMentions(thrown.getSuppressed()[0], "failed on worker 0", "no ");
            assertMentions(thrown, "40 failed");
            session.graph().await(); // each failure is reported once
        }
    }

    @Test
    void laterTasksThatReadPoisonedDataAreReportedTooEvenAfterTheFailureWas() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            failing(session.graph(), "root", x, new IOException("gone"));
            assertThrows(TaskFailedException.class, session.graph()::await);
            session.graph().task("late").reads(x).run(NOTHING);
            TaskFailedException again = assertThrows(TaskFailedException.class, session.graph()::await);
            assertMentions(again, "task \"root\" failed", "so \"root\" -> \"late\" was cancelled", "1 cancelled");
            session.graph().await();
        }
    }

    @Test
    void theFailureOfOneGraphReachesWhoeverWaitsForAnotherThatReadsItsData() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph first = session.graph("first", FailurePolicy.CONTINUE);
            TaskGraph second = session.graph("second", FailurePolicy.CONTINUE);
            failing(first, "root", x, new IOException("gone"));
            second.task("reader").reads(x).run(NOTHING);
            assertMentions(assertThrows(TaskFailedException.class, second::await), "\"root\" -> \"reader\"");
            assertThrows(TaskFailedException.class, first::await);
        }
    }

    @Test
    void theCancellationOfOneGraphReachesWhoeverWaitsForAnotherThatReadsItsData() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph first = session.graph("first", FailurePolicy.CONTINUE);
            TaskGraph second = session.graph("second", FailurePolicy.CONTINUE);
            first.task("never").updates(x).run(NOTHING);
            first.cancel();
            second.task("reader").reads(x).run(NOTHING);
            assertMentions(assertThrows(CancellationException.class, second::await), "\"never\" -> \"reader\"");
        }
    }

    @Test
    void whatIsOverwrittenWholeIsGoodAgain() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[] {0, 0});
            TaskGraph graph = session.graph();
            failing(graph, "root", x, new IOException("gone"));
            graph.task("left half").accesses(x, Access.write(Area.of(0, 0))).run(context -> context.get(x)[0] = 1);
            Task<?> early = graph.task("reads left half")
                    .accesses(x, Access.read(Area.of(0, 0)))
                    .run(NOTHING);
            graph.task("all").writes(x).run(context -> context.get(x)[1] = 2);
            Task<Integer> sum = graph.task("sum").reads(x).call(context -> context.get(x)[0] + context.get(x)[1]);
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(TaskState.CANCELLED, early.state());
            assertEquals(3, sum.join());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void errorsAndStackOverflowsFailTheTaskAndNothingElse(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            TaskGraph graph = session.graph();
            Error error = new LinkageError("missing");
            Task<?> failed = graph.task("error").run(context -> {
                throw error;
            });
            Task<Integer> deep = graph.task("deep").call(context -> endless(1));
            assertSame(
                    error, assertThrows(TaskFailedException.class, failed::join).getCause());
            assertTrue(assertThrows(TaskFailedException.class, deep::join).getCause() instanceof StackOverflowError);
            graph.await();
            assertEquals(7, graph.task("after").call(context -> 7).join());
        }
    }

    @Test
    void stopCancelsWhatHasNotStarted() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = session.graph("strict", FailurePolicy.STOP);
            Handle<int[]> x = session.wrap("x", new int[1]);
            failing(graph, "root", x, new IOException("gone"));
            Task<?> independent = graph.task("overwrites").writes(x).run(NOTHING);
            assertMentions(assertThrows(TaskFailedException.class, graph::await), "task \"root\" failed", "gone");
            assertEquals(TaskState.CANCELLED, independent.state());
            assertTrue(graph.isCancelled());
            assertThrows(CancellationException.class, independent::join);
            assertThrows(CancellationException.class, graph::await);
        }
    }

    @Test
    void stopHoldsForEveryTaskThatTheFailedOneLetsGo() {
        AtomicInteger ran = new AtomicInteger();
        try (Session session = Session.builder().workers(2).open()) {
            for (int round = 0; round < 2_000; round++) {
                TaskGraph graph = session.graph("strict", FailurePolicy.STOP);
                Handle<int[]> x = session.wrap("x", new int[1]);
                Handle<int[]> y = session.wrap("y", new int[1]);
                graph.task("root").reads(x).reads(y).run(context -> {
                    throw new PlainFailure();
                });
                graph.task("after x").writes(x).run(context -> ran.incrementAndGet());
                graph.task("after y").writes(y).run(context -> ran.incrementAndGet());
                assertThrows(TaskFailedException.class, graph::await);
                assertEquals(0, ran.get(), "in round " + round);
            }
        }
    }

    @Test
    void cancelLetsNothingMoreStartAndRunningTasksSeeIt() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph();
            Handle<int[]> x = session.wrap("x", new int[1]);
            CountDownLatch begun = new CountDownLatch(1);
            Task<?> running = graph.task("running").updates(x).run(context -> {
                assertFalse(context.cancelled());
                begun.countDown();
                Watchdog.until(context::cancelled, "the task sees that it is cancelled");
            });
            Task<?> pending = graph.task("pending").updates(x).run(NOTHING);
            Watchdog.await(begun, "the task runs");
            graph.cancel();
            CancellationException thrown = assertThrows(CancellationException.class, graph::await);
            assertMentions(thrown, "graph \"main\" was cancelled: 2 tasks: 1 done, 0 failed, 1 cancelled, 0 pending");
            assertEquals(TaskState.DONE, running.state());
            assertMentions(
                    assertThrows(CancellationException.class, pending::join),
                    "task \"pending\" was cancelled with its graph before it started");
        }
    }

    @Test
    void tasksSubmittedAfterCancelDoNotRun() {
        try (Session session = Session.builder().workers(2).open()) {
            session.graph().cancel();
            Task<?> late = session.graph().task("late").run(NOTHING);
            assertThrows(CancellationException.class, late::join);
            assertEquals(TaskState.CANCELLED, late.state());
        }
    }

    static void failing(TaskGraph graph, String name, Handle<?> handle, Exception cause) {
        graph.task(name).updates(handle).run(context -> {
            throw cause;
        });
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int endless(int depth) {
        return endless(depth + 1) + 1;
    }

    private static final class PlainFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        PlainFailure() {
            super("planned", null, false, false);
        }
    }

    /** A task that fails with a part of it counts as failed: none was cancelled. */
    @Test
    void aTaskThatFailsWithItsPartIsNotCalledCancelled() {
        try (Session own = Session.builder().workers(1).open()) {
            TaskGraph parts = own.graph("parts", FailurePolicy.CONTINUE);
            Handle<int[]> y = own.wrap("y", new int[1]);
            Task<?> parent = parts.task("parent")
                    .updates(y)
                    .run(ctx ->
                            ctx.refine(inside -> inside.task("part").updates(y).run(within -> {
                                throw new IllegalStateException("planned");
                            })));
            TaskFailedException told = assertThrows(TaskFailedException.class, parts::await);
            assertMentions(told, "task \"part\" failed", "2 failed, 0 cancelled");
            assertFalse(String.valueOf(told.getMessage()).contains("first cancelled"), told.getMessage());
            TaskFailedException ofParent = assertThrows(TaskFailedException.class, parent::join);
            assertMentions(ofParent, "so \"part\" -> \"parent\" failed");
            parts.task("reads").reads(y).run(ctx -> {});
            assertMentions(assertThrows(TaskFailedException.class, parts::await), "\"reads\" was cancelled");
        }
    }
}
