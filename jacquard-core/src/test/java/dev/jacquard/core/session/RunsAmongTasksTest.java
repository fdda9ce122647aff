package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.graph.Checking;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs of compiled graphs have their place among live tasks. */
@Timeout(180)
class RunsAmongTasksTest {
    private final Session session = Session.builder().workers(3).open();
    private final int[] array = new int[1];
    private final Handle<int[]> x = session.wrap("x", array);
    private final Handle<int[]> y = session.wrap("y", new int[1]);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void close() {
        goOn.countDown();
        session.close();
    }

    private void hold() {
        begun.countDown();
        Watchdog.await(goOn, "may go on");
    }

    @Test
    void aRunWaitsForLiveTasksBeforeIt() {
        session.graph().task("live").updates(x).run(ctx -> {
            hold();
            ctx.get(x)[0] = 5;
        });
        Watchdog.await(begun, "the live task runs");
        CompiledGraph twice =
                session.record("twice", rec -> rec.task("c").updates(x).run(ctx -> ctx.get(x)[0] *= 2));
        twice.start();
        goOn.countDown();
        twice.join();
        assertEquals(10, x.value()[0]);
    }

    /** What was not written stays so: a run that skips a branch leaves it as it is. */
    @Test
    void aBranchThatIsSkippedOverwritesNothing() {
        Task<?> fails = session.graph().task("fails").updates(x).run(ctx -> {
            throw new IllegalStateException("as planned");
        });
        CompiledGraph skips = session.record("skips", rec -> {
            Recorder.Branches branches = rec.choose("chooses", task -> task.reads(y), 2, ctx -> 0);
            branches.in(1, inside -> inside.task("sets").writes(x).run(ctx -> {}));
        });
        Task<?> run = skips.submit(session.graph(), "run");
        Task<?> reads = session.graph().task("reads").reads(x).run(ctx -> {});
        for (Task<?> task : List.of(fails, run, reads)) {
            assertMentions(assertThrows(TaskFailedException.class, task::join), "as planned");
        }
    }

    /**
     * Else what starts the run would fail the task of a run that goes on, and may be over: the task would end twice.
     */
    @Test
    void checkingModeDoesNotWatchWhatStartsARun() {
        AtomicInteger looks = new AtomicInteger();
        Session checked = Session.builder()
                .workers(2)
                .checking(Checking.basic().hashing(AtomicInteger.class, value -> {
                    looks.incrementAndGet();
                    return 0;
                }))
                .open();
        Handle<AtomicInteger> a = checked.wrap("a", new AtomicInteger());
        Handle<int[]> z = checked.wrap("z", new int[1]);
        checked.graph().task("live").updates(z).run(ctx -> hold());
        CompiledGraph reads =
                checked.record("reads", rec -> rec.task("c").reads(a).updates(z).run(ctx -> ctx.get(z)[0]++));
        reads.start();
        goOn.countDown();
        reads.join();
        assertEquals(2, looks.get(), "before and after the task of the run");
        checked.close(); // not after a failure: it would wait for ever
    }

    @Test
    void aTaskSubmittedDuringARunWaitsForIt() {
        CompiledGraph slow = session.record(
                "slow",
                rec -> rec.task("c").updates(x).run(ctx -> {
                    hold();
                    ctx.get(x)[0] = 5;
                }));
        slow.start();
        Watchdog.await(begun, "the run is at it");
        Task<Integer> next = session.graph().task("next").updates(x).call(ctx -> ctx.get(x)[0] *= 2);
        Task<Integer> other = session.graph().task("other").updates(y).call(ctx -> 1);
        assertEquals(1, other.join(), "what does not conflict runs beside");
        assertFalse(next.state().isOver());
        assertMentions(new AssertionError(session.snapshot()), "\"next\" waits for \"slow\" (UPDATE x after UPDATE)");
        goOn.countDown();
        assertEquals(10, next.join());
        slow.join();
    }

    @Test
    void runsAndTasksOfSeveralThreadsNeverMeet() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicBoolean met = new AtomicBoolean();
        CompiledGraph one = session.record("one", rec -> {
            for (int i = 0; i < 3; i++) {
                rec.task("c").updates(x).run(ctx -> touch(inside, met));
            }
        });
        CompiledGraph two =
                session.record("two", rec -> rec.task("c").updates(x).run(ctx -> touch(inside, met)));
        int rounds = 2_000;
        Thread live = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < rounds; i++) {
                session.graph().task("live").updates(x).run(ctx -> touch(inside, met));
                if (i % 16 == 0) {
                    session.graph().await();
                }
            }
        });
        Thread runs = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < rounds; i++) {
                one.run();
            }
        });
        for (int i = 0; i < rounds; i++) {
            two.run();
        }
        live.join();
        runs.join();
        session.graph().await();
        assertFalse(met.get());
        assertEquals(5 * rounds, x.value()[0]);
    }

    private void touch(AtomicInteger inside, AtomicBoolean met) {
        if (inside.incrementAndGet() > 1) {
            met.set(true);
        }
        x.value()[0]++;
        inside.decrementAndGet();
    }

    @Test
    void anUnorderedRunWaitsForNothing() {
        session.graph().task("live").updates(x).run(ctx -> hold());
        Watchdog.await(begun, "the live task runs");
        CompiledGraph look =
                session.record("look", rec -> rec.task("c").updates(x).run(ctx -> ctx.get(x)[0]++));
        look.runUnordered();
        assertEquals(1, array[0]);
        CountDownLatch over = new CountDownLatch(1);
        look.startUnordered((worker, failure) -> over.countDown());
        Watchdog.await(over, "the other unordered run");
    }

    @Test
    void aRunThatReadsWhatFailedDoesNotStart() {
        session.graph().task("bad").updates(x).run(ctx -> {
            throw new IllegalStateException("no");
        });
        AtomicInteger runs = new AtomicInteger();
        CompiledGraph reads =
                session.record("reads", rec -> rec.task("c").reads(x).run(ctx -> runs.incrementAndGet()));
        TaskFailedException failure = assertThrows(TaskFailedException.class, reads::run);
        assertMentions(failure, "task \"bad\" failed", "so \"bad\" -> \"reads\" was cancelled");
        assertEquals(0, runs.get());
        assertFalse(reads.isRunning());
        session.graph().task("anew").writes(x).run(ctx -> {});
        reads.run();
        assertEquals(1, runs.get());
    }

    @Test
    void aFailedRunCancelsTheReadersBehindItAndTheNextStartsAfresh() {
        AtomicBoolean fails = new AtomicBoolean(true);
        CompiledGraph step = session.record(
                "step",
                rec -> rec.task("c").updates(x).run(ctx -> {
                    if (fails.get()) {
                        hold();
                        throw new IllegalStateException("no");
                    }
                    ctx.get(x)[0]++;
                }));
        step.start();
        Watchdog.await(begun, "the run is at it");
        Task<?> reader = session.graph().task("reader").reads(x).run(ctx -> {});
        goOn.countDown();
        assertThrows(TaskFailedException.class, reader::join);
        assertThrows(TaskFailedException.class, step::join);
        fails.set(false);
        step.run();
        assertEquals(1, x.value()[0]);
        assertEquals(
                1,
                session.graph()
                        .task("later")
                        .reads(x)
                        .call(ctx -> ctx.get(x)[0])
                        .join());
    }

    @Test
    void cancellingARunThatWaitsEndsIt() {
        session.graph().task("live").updates(x).run(ctx -> hold());
        Watchdog.await(begun, "the live task runs");
        AtomicInteger runs = new AtomicInteger();
        CompiledGraph step =
                session.record("step", rec -> rec.task("c").updates(x).run(ctx -> runs.incrementAndGet()));
        step.start();
        step.cancel();
        goOn.countDown();
        assertThrows(CancellationException.class, step::join);
        assertEquals(0, runs.get());
    }

    @Test
    void aTaskThatACancelledRunTakesDownNamesTheRun() {
        TaskGraph graph = session.graph();
        graph.task("live").updates(x).run(ctx -> hold());
        CompiledGraph step =
                session.record("step", rec -> rec.task("c").updates(x).run(ctx -> {}));
        step.start();
        Task<?> later = graph.task("later").updates(x).run(ctx -> {});
        Task<?> last = graph.task("last").reads(x).run(ctx -> {});
        step.cancel();
        goOn.countDown();
        assertThrows(CancellationException.class, step::join);
        assertMentions(
                assertThrows(CancellationException.class, graph::await),
                "compiled graph \"step\" was cancelled before it wrote the data that graph \"main\" reads",
                "so \"step\" -> \"later\" was cancelled");
        assertMentions(
                assertThrows(CancellationException.class, later::join),
                "task \"later\" was cancelled before it started, since compiled graph \"step\" was cancelled");
        assertMentions(
                assertThrows(CancellationException.class, last::join),
                "task \"last\" was cancelled before it started, since compiled graph \"step\" was cancelled");
        graph.task("overwrites").writes(x).run(ctx -> {}).join();
        graph.await();
    }

    @Test
    void aRunThatACancelledGraphTakesDownNamesTheGraph() {
        TaskGraph graph = session.graph("other", FailurePolicy.CONTINUE);
        session.graph().task("live").updates(y).run(ctx -> hold());
        graph.task("stopped").reads(y).updates(x).run(ctx -> {});
        CompiledGraph step =
                session.record("step", rec -> rec.task("c").updates(x).run(ctx -> {}));
        step.start();
        Task<?> later = session.graph().task("later").updates(x).run(ctx -> {});
        graph.cancel();
        goOn.countDown();
        String since = "was cancelled before it started, since graph \"other\" was cancelled";
        assertMentions(assertThrows(CancellationException.class, step::join), since);
        assertMentions(
                assertThrows(CancellationException.class, session.graph()::await),
                "graph \"other\" was cancelled before it wrote the data that graph \"main\" reads");
        assertMentions(assertThrows(CancellationException.class, later::join), "task \"later\" " + since);
    }

    @Test
    void aGraphInAGraphHasThePlaceOfTheOuterOne() {
        CompiledGraph inner = session.record(
                "inner",
                rec -> rec.task("c").updates(x).run(ctx -> {
                    hold();
                    ctx.get(x)[0] = 5;
                }));
        CompiledGraph outer = session.record("outer", rec -> rec.graph("inner", inner));
        outer.start();
        Watchdog.await(begun, "the inner run is at it");
        Task<Integer> next = session.graph().task("next").reads(x).call(ctx -> ctx.get(x)[0]);
        assertFalse(next.state().isOver());
        goOn.countDown();
        assertEquals(5, next.join());
        outer.join();
    }
}
