package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Items that were sent to a task that takes buffers, and have got none so far. */
@Timeout(180)
class SentBeforeTest {
    /** More than an inbox has room for. */
    private static final int MANY = 300;

    private final AtomicInteger done = new AtomicInteger();
    private final List<MemoryEdge<int[]>> edges = new ArrayList<>();

    /** A graph whose task takes the only buffer of the edge that is added to {@code edges}. */
    private FlowGraph<Integer, Integer> graph() {
        return FlowGraph.build("sent", g -> {
            MemoryEdge<int[]> edge =
                    g.memory("one", 1, () -> new int[1]).takenOutside().releasedOutside();
            edges.add(edge);
            FlowTask<Integer, Integer> task = g.task("t", 2, () -> (n, out) -> {
                Handle<int[]> buffer = out.take(edge);
                done.incrementAndGet();
                out.release(buffer);
            });
            g.input().to(task.takes(edge).releases(edge).endsHere());
        });
    }

    @Test
    void whoTakesABufferComesBehindThem() throws Exception {
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph().start(session)) {
            for (int i = 1; i <= MANY; i++) {
                Handle<int[]> first = run.take(edges.getFirst(), ReleaseRule.once());
                run.send(i);
                run.send(i);
                FutureTask<Integer> second = new FutureTask<>(() -> {
                    Handle<int[]> buffer = run.take(edges.getFirst(), ReleaseRule.once());
                    int before = done.get();
                    run.release(buffer);
                    return before;
                });
                Thread.ofPlatform().daemon().start(second);
                Watchdog.until(
                        () -> session.snapshot().toString().contains("code outside of the graph waits"),
                        "the second taker");
                run.release(first);
                int round = i;
                Watchdog.until(second::isDone, "the buffer for the second taker of round " + round);
                assertEquals(2 * i, second.get());
            }
        }
    }

    @Test
    void theTimeForWhichTheyWaitedAndTheirNumberAreCounted() throws Exception {
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph().start(session)) {
            Handle<int[]> held = run.take(edges.getFirst(), ReleaseRule.once());
            IntStream.range(0, MANY).forEach(run::send);
            long sent = System.nanoTime();
            Watchdog.until(() -> System.nanoTime() - sent > 20_000_000, "some time");
            long before = System.nanoTime();
            run.release(held);
            run.finish();
            run.await();
            FlowProfile profile = run.profile();
            long waited = profile.memories().getFirst().waitNanos();
            assertTrue(waited >= MANY * (before - sent), () -> waited + " of " + MANY * (before - sent));
            assertEquals(MANY, profile.tasks().getFirst().largestQueue());
        }
    }

    @Test
    void allAreShownAndCancelled() throws Exception {
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph().start(session)) {
            Handle<int[]> held = run.take(edges.getFirst(), ReleaseRule.once());
            IntStream.range(0, MANY).forEach(run::send);
            String text = session.snapshot().toString();
            assertTrue(text.contains("0 done, 300 wait (300 of them for buffers)"), text);
            assertTrue(text.contains("300 items of \"t\" wait: \"one\" has 0 free"), text);
            run.cancel();
            assertThrows(CancellationException.class, run::await);
            assertEquals(MANY, run.report().cancelled());
            run.release(held);
        }
    }
}
