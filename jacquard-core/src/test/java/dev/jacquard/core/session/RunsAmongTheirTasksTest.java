package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraph.OverlapRule;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of a compiled graph beside tasks that are runs of the same graph: each waits for its place and for its turn. */
@Timeout(180)
@ParameterizedClass
@CsvSource({"1, QUEUE", "2, QUEUE", "1, REFUSE", "2, REFUSE"})
class RunsAmongTheirTasksTest {
    private static final int TIMES = 300;

    private final OverlapRule whenBusy;
    private final Session session;
    private final TaskGraph graph;
    private final Handle<int[]> x;
    private final CompletableFuture<Integer> holder = new CompletableFuture<>();

    RunsAmongTheirTasksTest(int workers, OverlapRule whenBusy) {
        this.whenBusy = whenBusy;
        session = Session.builder().workers(workers).open();
        graph = session.graph("live", FailurePolicy.CONTINUE);
        x = session.wrap("x", new int[1]);
    }

    @AfterEach
    void close() {
        holder.complete(1);
        session.close();
    }

    private CompiledGraph recorded(TaskBody body) {
        return session.record("recorded", rec -> {
            rec.whenBusy(whenBusy);
            rec.task("inner").updates(x).run(body);
        });
    }

    private CompiledGraph counting() {
        return recorded(ctx -> ctx.get(x)[0]++);
    }

    /** What comes next waits for a place, until {@link #holder} is complete. */
    private void hold() {
        graph.task("holds").updates(x).start(ctx -> holder);
    }

    @Test
    void aRunThatWaitsForItsPlaceLeavesItsTurnToATaskBeforeIt() {
        CompiledGraph counts = counting();
        hold();
        counts.submit(graph, "task");
        counts.start();
        holder.complete(1);
        counts.join();
        graph.await();
        assertEquals(2, x.value()[0]);
    }

    @Test
    void runsAndTasksInTurn() {
        assumeTrue(whenBusy == OverlapRule.QUEUE);
        CompiledGraph counts = counting();
        for (int i = 0; i < TIMES; i++) {
            counts.start();
            counts.start();
            counts.submit(graph, "task");
            counts.start();
        }
        counts.join();
        graph.await();
        assertEquals(4 * TIMES, x.value()[0]);
    }

    /** A run may be refused while the task's is in flight; the task, which comes first, never is. */
    @Test
    void noRunTakesTheTurnOfATaskBeforeIt() {
        CompiledGraph counts = counting();
        int refused = 0;
        for (int i = 0; i < TIMES; i++) {
            counts.submit(graph, "task");
            refused += runs(counts) ? 0 : 1;
        }
        graph.await();
        assertEquals(2 * TIMES - refused, x.value()[0]);
    }

    /** Returns whether the run was not refused. */
    private boolean runs(CompiledGraph its) {
        try {
            its.run();
            return true;
        } catch (IllegalStateException e) {
            assertEquals(OverlapRule.REFUSE, whenBusy);
            return false;
        }
    }

    @Test
    void aRunBesideOneOfAGraphThatHoldsIt() {
        CompiledGraph counts = counting();
        CompiledGraph outer = session.record("outer", rec -> {
            rec.task("before").updates(x).run(ctx -> {});
            rec.graph("inner", counts);
        });
        int refused = 0;
        for (int i = 0; i < TIMES; i++) {
            outer.start();
            refused += runs(counts) ? 0 : 1;
            outer.join();
        }
        assertEquals(2 * TIMES - refused, x.value()[0]);
    }

    @Test
    void cancellingReachesTheRunThatHasLeftItsTurn() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger ran = new AtomicInteger();
        CompiledGraph counts = recorded(ctx -> {
            ran.incrementAndGet();
            begun.countDown();
            Watchdog.await(go, "the test lets it go on");
        });
        session.executor().background(() -> {
            Watchdog.await(begun, "the task runs");
            counts.cancel();
            go.countDown();
        });
        hold();
        counts.submit(graph, "task");
        counts.start();
        holder.complete(1);
        assertThrows(RuntimeException.class, counts::join);
        graph.await(); // join has told why
        assertEquals(1, ran.get());
    }

    @Test
    void aRunThatHasLeftItsTurnHearsThatItCannotStart() {
        CompiledGraph fails = recorded(ctx -> {
            throw new IllegalStateException("planned");
        });
        hold();
        fails.submit(graph, "task");
        fails.start();
        holder.complete(1);
        assertThrows(TaskFailedException.class, fails::join);
        graph.await(); // join has told why
        graph.task("overwrites").writes(x).run(ctx -> ctx.get(x)[0] = 5);
        counting().run();
        assertEquals(6, x.value()[0]);
    }
}
