package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that would never begin or never end are refused, and the message says why. */
@Timeout(180)
class RefusedRunsTest {
    private final Session session = Session.builder().workers(3).open();
    private final Handle<int[]> x = session.wrap("x", new int[1]);
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
    void aRunThatWouldWaitForItsOwnThreadIsRefused() {
        CompiledGraph step =
                session.record("step", rec -> rec.task("c").updates(x).run(ctx -> {}));
        try (UserView view = session.lock(x, Mode.UPDATE)) {
            assertTrue(view.isOpen());
            assertMentions(
                    assertThrows(IllegalStateException.class, step::run),
                    "compiled graph \"step\" would wait for user view");
        }
        step.run();
    }

    /** Also of a graph that accesses nothing, for which no handle is refused. */
    @Test
    void aRunIsNoTaskOfAnotherSession() {
        CompiledGraph step = session.record("step", rec -> rec.task("c").run(ctx -> {}));
        try (Session other = Session.builder().workers(1).open()) {
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> step.submit(other.graph(), "run")),
                    "task \"run\" cannot be compiled graph \"step\"",
                    "belongs to another session");
            other.graph().await();
        }
    }

    @Test
    void recordingsSayHowToTakeARunAndWhichBranchThereIsNot() {
        CompiledGraph step = session.record("step", rec -> rec.task("c").run(ctx -> {}));
        session.record("outer", rec -> {
            assertMentions(
                    assertThrows(UnsupportedOperationException.class, () -> step.submit(rec, "run")),
                    "task \"run\" is a run of compiled graph \"step\"",
                    "rec.graph(name, graph)");
            assertMentions(
                    assertThrows(
                            IndexOutOfBoundsException.class,
                            () -> rec.choose("which", t -> {}, 2, ctx -> 0).in(2, its -> {})),
                    "task \"which\" chooses one of 2 branches, numbered from 0 on; there is no branch 2");
        });
    }

    /** Not that the run before is in flight, which it is for ever. */
    @Test
    void behindTheEndOfTheEngineARunTellsTheReason() {
        Session broken = Session.builder()
                .workers(2)
                .placement((task, machine) -> {
                    throw new IllegalStateException("planned");
                })
                .open();
        CompiledGraph step = broken.record("step", rec -> rec.task("c").run(ctx -> {}));
        for (int run = 0; run < 2; run++) {
            assertMentions(assertThrows(PolicyException.class, step::run), "planned");
        }
        assertThrows(PolicyException.class, broken::close);
    }

    /** A run behind a live task that is behind the view, or behind the task of the function. */
    @Test
    void soIsOneThatWouldWaitForWhatWaitsForItsOwnThread() throws Exception {
        CompiledGraph step =
                session.record("step", rec -> rec.task("c").updates(x).run(ctx -> ctx.get(x)[0]++));
        Handle<int[]> k = session.wrap("k", new int[1]);
        try (UserView view = session.lock(k, Mode.UPDATE)) {
            session.graph().task("between").updates(k).updates(x).run(ctx -> {});
            assertTrue(view.isOpen());
            assertMentions(
                    assertThrows(IllegalStateException.class, step::run),
                    "compiled graph \"step\" would wait for user view");
            step.start();
            assertMentions(
                    assertThrows(IllegalStateException.class, step::join),
                    "compiled graph \"step\" would never be over: it comes after user view");
        }
        step.join();
        CountDownLatch submitted = new CountDownLatch(1);
        Task<Integer> function = session.graph().task("f").updates(k).startOn(session.executor()::background, ctx -> {
            submitted.await();
            IllegalStateException run = assertThrows(IllegalStateException.class, step::run);
            assertMentions(run, "the function of task \"f\" must not wait for compiled graph \"step\"");
            step.start();
            IllegalStateException join = assertThrows(IllegalStateException.class, step::join);
            assertMentions(join, "the function of task \"f\" must not wait for compiled graph \"step\"");
            return 1;
        });
        session.graph().task("between").updates(k).updates(x).run(ctx -> {});
        submitted.countDown();
        assertEquals(1, function.join());
        step.join();
        assertEquals(2, x.value()[0]);
    }

    /** The run came first: its join is no wait for the view. */
    @Test
    void aRunInFrontOfWhatWaitsForItsOwnThreadMayBeJoined() {
        CompiledGraph step = session.record(
                "step",
                rec -> rec.task("c").updates(x).run(ctx -> {
                    hold();
                    ctx.get(x)[0]++;
                }));
        Handle<int[]> k = session.wrap("k", new int[1]);
        step.start();
        Watchdog.await(begun, "the run runs");
        try (UserView view = session.lock(k, Mode.UPDATE)) {
            session.graph().task("behind both").updates(k).updates(x).run(ctx -> {});
            goOn.countDown();
            step.join();
            assertTrue(view.isOpen());
        }
        session.graph().await();
        assertEquals(1, x.value()[0]);
    }
}
