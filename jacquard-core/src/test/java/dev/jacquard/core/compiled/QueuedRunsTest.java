package dev.jacquard.core.compiled;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that cannot start, and those that wait for their turn behind them. */
@Timeout(180)
class QueuedRunsTest {
    /** Notes how its run ended; when it is the run's turn, does what the test says. */
    private static final class Noted implements Completion {
        final CountDownLatch over = new CountDownLatch(1);
        private final Runnable atItsTurn;

        @Nullable
        RuntimeException failure;

        Noted(Runnable atItsTurn) {
            this.atItsTurn = atItsTurn;
        }

        @Override
        public void over(WorkerContext worker, @Nullable RuntimeException its) {
            failure = its;
            over.countDown();
        }

        @Override
        public boolean cancelled() {
            atItsTurn.run();
            return false;
        }

        @Nullable
        RuntimeException await() {
            Watchdog.await(over, "the run is over");
            return failure;
        }
    }

    private static Noted noted() {
        return new Noted(() -> {});
    }

    /** Writes; says so once somebody asks whether it conflicts. */
    private static final class Asked implements Access {
        @Nullable
        Runnable whenAsked;

        @Override
        public boolean conflictsWith(Access earlier) {
            Runnable now = whenAsked;
            whenAsked = null;
            if (now != null) {
                now.run();
            }
            return true;
        }

        @Override
        public boolean covers(Access other) {
            return other == this || other == Mode.NONE;
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public boolean writes() {
            return true;
        }
    }

    private static CompiledGraph counting(Session session, AtomicInteger ran) {
        CompiledGraphBuilder builder = session.compile("g").whenBusy(CompiledGraph.OverlapRule.QUEUE);
        builder.task("a", context -> ran.incrementAndGet());
        return builder.build();
    }

    /** A task behind a run may start before the run has given its turn back. */
    @Test
    void aGraphThatRefusesIsNotRefusedBehindItsLastRun() {
        try (Session session =
                Session.builder().workers(4).policy(Policies.named("priority")).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            CompiledGraph graph =
                    session.record("g", rec -> rec.task("t").updates(x).run(ctx -> ctx.get(x)[0]++));
            CompiledGraph outer = session.record("outer", rec -> rec.graph("in", graph));
            int rounds = Rounds.run(50_000, round -> {
                graph.start();
                outer.run();
            });
            graph.join();
            assertEquals(2 * rounds, x.value()[0]);
        }
    }

    @Test
    void aGraphMayBeVeryManyTasksSideBySide() {
        int tasks = 10_000;
        AtomicInteger ran = new AtomicInteger();
        try (Session session = Session.builder().workers(2).open()) {
            CompiledGraph graph = counting(session, ran);
            CompiledGraphBuilder builder = session.compile("outer");
            for (int i = 0; i < tasks; i++) {
                builder.graph("in", graph);
            }
            builder.build().run();
        }
        assertEquals(tasks, ran.get());
    }

    @Test
    void theGraphWhoseCompletionThrowsIsNamed() {
        Session session = Session.builder().workers(2).open();
        CompiledGraph graph = counting(session, new AtomicInteger());
        graph.start((worker, failure) -> {
            throw new IllegalStateException("planned");
        });
        RuntimeException ended = assertThrows(RuntimeException.class, () -> session.awaitUntil(() -> false));
        assertMentions(ended, "completion of a run of compiled graph \"g\" threw");
        session.close(); // which has nothing more to say
    }

    @Test
    void aRunBehindOneThatIsRefusedStartsAndIsNotCancelled() {
        try (Session session = Session.builder().workers(2).open()) {
            AtomicInteger ran = new AtomicInteger();
            CompiledGraph graph = counting(session, ran);
            Noted next = noted();
            Noted refused = new Noted(() -> {
                graph.start(next);
                graph.cancel(); // the run that is about to start
                throw new IllegalStateException("not now");
            });
            assertMentions(assertThrows(IllegalStateException.class, () -> graph.start(refused)), "not now");
            assertNull(next.await());
            graph.join();
            assertEquals(1, ran.get());
            assertEquals(new CompiledGraph.RunReport(1, 1, 1, 0, 0, 0), graph.report());
        }
    }

    @Test
    void aRunBehindOneWhoseAccessThrowsStarts() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Asked access = new Asked();
            CompiledGraphBuilder builder = session.compile("g").whenBusy(CompiledGraph.OverlapRule.QUEUE);
            builder.task("a", context -> context.get(x)[0]++, a -> a.accesses(x, access));
            CompiledGraph graph = builder.build();
            CountDownLatch goOn = new CountDownLatch(1);
            session.graph().task("live").updates(x).run(ctx -> Watchdog.await(goOn, "may go on"));
            Noted next = noted();
            access.whenAsked = () -> {
                graph.start(next);
                throw new IllegalStateException("no such access");
            };
            assertMentions(assertThrows(IllegalStateException.class, graph::start), "no such access");
            goOn.countDown();
            assertNull(next.await());
            assertEquals(1, x.value()[0]);
        }
    }

    /** Its place among live tasks was asked for, and is not that of the next run, which finds nothing live. */
    @Test
    void aRunThatIsRefusedLeavesNoPlaceBehind() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Asked access = new Asked();
            CompiledGraphBuilder builder = session.compile("g");
            builder.task("a", context -> context.get(x)[0]++, a -> a.accesses(x, access));
            CompiledGraph graph = builder.build();
            CountDownLatch goOn = new CountDownLatch(1);
            session.graph().task("live").updates(x).run(ctx -> Watchdog.await(goOn, "may go on"));
            access.whenAsked = () -> {
                throw new IllegalStateException("no such access");
            };
            assertMentions(assertThrows(IllegalStateException.class, graph::start), "no such access");
            goOn.countDown();
            session.graph().await();
            graph.run();
            assertEquals(1, x.value()[0]);
        }
    }

    @Test
    void whoJoinsHearsThatTheRunWasRefused() throws InterruptedException {
        try (Session session = Session.builder().workers(2).open()) {
            CompiledGraph graph = counting(session, new AtomicInteger());
            List<Thread> joining = new ArrayList<>();
            Noted refused = new Noted(() -> {
                Thread thread = Thread.ofPlatform().daemon().start(graph::join);
                joining.add(thread);
                Watchdog.until(
                        () -> thread.getState() == Thread.State.WAITING
                                || thread.getState() == Thread.State.TIMED_WAITING,
                        "the thread waits");
                throw new IllegalStateException("not now");
            });
            assertThrows(IllegalStateException.class, () -> graph.start(refused));
            joining.getFirst().join(Watchdog.LIMIT);
            assertFalse(joining.getFirst().isAlive());
        }
    }

    @Test
    void anErrorWhileAQueuedRunStartsEndsThatRunAlone() {
        try (Session session = Session.builder().workers(2).open()) {
            AtomicInteger ran = new AtomicInteger();
            CountDownLatch goOn = new CountDownLatch(1);
            CompiledGraphBuilder builder = session.compile("g").whenBusy(CompiledGraph.OverlapRule.QUEUE);
            builder.task("a", context -> {
                Watchdog.await(goOn, "may go on");
                ran.incrementAndGet();
            });
            CompiledGraph graph = builder.build();
            Noted first = noted();
            Error full = new StackOverflowError("on purpose");
            Noted second = new Noted(() -> {
                throw full;
            });
            Noted third = noted();
            graph.start(first);
            graph.start(second);
            graph.start(third);
            goOn.countDown();
            assertNull(first.await());
            RuntimeException why = second.await();
            assertInstanceOf(IllegalStateException.class, why);
            assertSame(full, why.getCause());
            assertNull(third.await());
            graph.join();
            assertEquals(2, ran.get());
        }
    }

    /** No worker is left that could run it, or tell of its end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRunThatIsStartedAfterTheSessionWasClosedIsRefused(boolean accesses) {
        List<CompiledGraph> graphs = new ArrayList<>();
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            graphs.add(session.record("g", rec -> {
                rec.whenBusy(CompiledGraph.OverlapRule.QUEUE);
                if (accesses) {
                    rec.task("a").updates(x).run(ctx -> {});
                } else {
                    rec.task("a").run(ctx -> {});
                }
            }));
            graphs.getFirst().run();
        }
        CompiledGraph graph = graphs.getFirst();
        Noted behind = noted();
        Noted late = new Noted(() -> {
            graph.start(behind); // waits for its turn
            throw new IllegalStateException("not now");
        });
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> graph.start(late));
        assertMentions(refused, "g", "closed");
        assertThrows(IllegalStateException.class, () -> graph.start(behind));
        assertThrows(IllegalStateException.class, graph::start);
        assertFalse(graph.isRunning());
    }

    /** Close waits for the task, and so for what it starts, also when that is the first run of all. */
    @Test
    void aTaskStartsARunWhileTheSessionIsClosed() {
        int[] x = {0};
        List<@Nullable RuntimeException> ends = new ArrayList<>();
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> handle = session.wrap("x", x);
            CompiledGraph graph =
                    session.record("g", rec -> rec.task("a").updates(handle).run(ctx -> ctx.get(handle)[0]++));
            session.graph().task("starts").run(ctx -> graph.start((worker, failure) -> ends.add(failure)));
        } // one worker: nothing runs before this
        assertEquals(1, x[0]);
        assertEquals(Collections.singletonList(null), ends);
    }

    /** While the session waits for what is left. */
    @Test
    void aRunThatIsStartedFromOutsideWhileTheSessionIsClosedIsRefused() {
        List<Throwable> refused = Collections.synchronizedList(new ArrayList<>());
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            CompiledGraph graph =
                    session.record("g", rec -> rec.task("a").updates(x).run(ctx -> {}));
            session.graph().task("outside").run(ctx -> {
                Thread other = Thread.ofPlatform()
                        .uncaughtExceptionHandler((thread, e) -> refused.add(e))
                        .start(graph::start);
                other.join();
            });
        } // one worker: nothing runs before this
        assertEquals(1, refused.size());
        assertMentions(refused.getFirst(), "a run of a compiled graph was started after its session was closed");
    }

    /** Each is told by the worker that was to start it; were they nested, its stack would not suffice. */
    @Test
    void allRunsThatCannotStartAreTold() {
        for (boolean poisoned : new boolean[] {false, true}) {
            try (Session session = Session.builder().workers(2).open()) {
                Handle<int[]> x = session.wrap("x", new int[1]);
                CountDownLatch goOn = new CountDownLatch(1);
                CompiledGraph graph = session.record("g", rec -> {
                    rec.whenBusy(CompiledGraph.OverlapRule.QUEUE);
                    rec.task("a").reads(x).run(ctx -> {});
                });
                session.graph().task("bad").updates(x).run(ctx -> {
                    Watchdog.await(goOn, "may go on");
                    throw new IllegalStateException("no");
                });
                List<Noted> runs = new ArrayList<>();
                for (int i = 0; i < 4_000; i++) {
                    runs.add(new Noted(() -> {
                        if (!poisoned && goOn.getCount() == 0) {
                            throw new IllegalStateException("refused");
                        }
                    }));
                    graph.start(runs.getLast());
                }
                goOn.countDown();
                int failed = 0;
                for (Noted run : runs) {
                    failed += run.await() == null ? 0 : 1;
                }
                assertEquals(4_000, failed);
                graph.join();
            }
        }
    }
}
