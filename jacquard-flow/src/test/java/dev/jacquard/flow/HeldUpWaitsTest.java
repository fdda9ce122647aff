package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A wait for a run whose tasks wait for the calling thread is refused: it would never end. */
@Timeout(180)
class HeldUpWaitsTest {
    /** The waits for a run. */
    enum WaitFor {
        RESULT,
        END,
        CLOSE;

        private FlowReport call(FlowRun<Integer, Integer> run) {
            switch (this) {
                case RESULT -> assertTrue(run.iterator().hasNext());
                case END -> {
                    return run.await();
                }
                case CLOSE -> run.close();
            }
            return run.report();
        }

        void assertRefused(FlowRun<Integer, Integer> run, String... why) {
            assertMentions(assertThrows(IllegalStateException.class, () -> call(run)), why);
        }
    }

    private static FlowGraph<Integer, Integer> updating(Handle<int[]> handle) {
        return FlowGraph.build(
                "counts",
                g -> g.input()
                        .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> {
                            out.graph().task("adds").updates(handle).run(ctx -> ctx.get(handle)[0] += n);
                            out.emitWhenDone(n);
                        }))
                        .to(g.output()));
    }

    @ParameterizedTest
    @EnumSource
    void byAThreadWhoseViewHoldsUpTheTasks(WaitFor what) {
        for (int workers = 1; workers < 3; workers++) {
            try (Session session = Session.builder().workers(workers).open()) {
                Handle<int[]> handle = session.wrap("h", new int[1]);
                FlowRun<Integer, Integer> run = updating(handle).start(session);
                try (UserView view = session.lock(handle, Mode.UPDATE)) {
                    assertTrue(view.isOpen());
                    run.send(7);
                    run.finish();
                    WaitFor.RESULT.assertRefused(run, "graph \"counts\" would never be over");
                    what.assertRefused(run, "graph \"counts\" would never be over");
                }
                assertEquals(7, run.iterator().next());
                run.close();
                assertEquals(7, handle.value()[0]);
            }
        }
    }

    @Test
    void aViewOfWhatTheTasksDoNotAccessIsInNobodysWay() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> other = session.wrap("other", new int[1]);
            try (FlowRun<Integer, Integer> run =
                            updating(session.wrap("h", new int[1])).start(session);
                    UserView view = session.lock(other, Mode.UPDATE)) {
                session.graph().task("behind").updates(other).run(ctx -> {});
                run.send(7);
                run.finish();
                assertEquals(7, run.iterator().next());
                assertTrue(!run.iterator().hasNext());
                run.await();
                assertTrue(view.isOpen());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void byAFunctionOfATaskOfTheRun(WaitFor what) {
        CompletableFuture<FlowRun<Integer, Integer>> self = new CompletableFuture<>();
        CountDownLatch sent = new CountDownLatch(1);
        try (Session session = Session.builder().workers(2).open()) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build(
                    "own",
                    g -> g.input()
                            .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> {
                                out.graph().task("on").startOn(session.executor()::background, ctx -> {
                                    sent.await();
                                    what.assertRefused(
                                            self.join(), "the function of task \"on\" must not wait for graph \"own\"");
                                    return 1;
                                });
                                out.emitWhenDone(n);
                            }))
                            .to(g.output()));
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                self.complete(run);
                run.send(7);
                run.finish();
                sent.countDown();
                assertEquals(7, run.iterator().next());
                assertTrue(!run.iterator().hasNext());
            }
        }
    }
}
