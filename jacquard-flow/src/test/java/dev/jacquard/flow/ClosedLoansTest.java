package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that is closed lends no buffer, and says so, also to code that had begun to take or to release. */
@Timeout(180)
class ClosedLoansTest {
    private final AtomicInteger live = new AtomicInteger();
    private final CountDownLatch allocating = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<MemoryEdge<int[]>> edges = new ArrayList<>();

    private FlowGraph<Integer, Integer> slow() {
        MemoryEdge.Allocator<int[]> allocator = new MemoryEdge.Allocator<>() {
            @Override
            public int[] allocate() {
                allocating.countDown();
                Watchdog.await(goOn, "the run is closed");
                live.incrementAndGet();
                return new int[1];
            }

            @Override
            public void free(int[] buffer) {
                live.decrementAndGet();
            }
        };
        return FlowGraph.build("slow", g -> {
            edges.add(g.memory("m", 2, allocator).dynamic().takenOutside().releasedOutside());
            g.input().to(g.output());
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBufferThatIsAllocatedMeanwhileIsFreedAndNotLent(boolean finished) throws InterruptedException {
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = slow().start(session);
            FutureTask<Handle<int[]>> takes = new FutureTask<>(() -> run.take(edges.getFirst(), ReleaseRule.once()));
            Thread taker = Thread.ofPlatform().start(takes);
            Watchdog.await(allocating, "the buffer is being allocated");
            if (finished) {
                run.finish();
                run.await();
            }
            run.close();
            RuntimeException after =
                    assertThrows(RuntimeException.class, () -> run.take(edges.getFirst(), ReleaseRule.once()));
            goOn.countDown();
            Throwable late = Objects.requireNonNull(
                    assertThrows(ExecutionException.class, takes::get).getCause());
            assertSame(after.getClass(), late.getClass());
            assertEquals(after.getMessage(), late.getMessage());
            taker.join();
            assertEquals(0, live.get());
            assertEquals(List.of(), run.report().outstanding());
        }
    }

    @Test
    void aReleaseBehindTheCloseSaysSo() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("late", g -> {
            edges.add(g.memory("m", 2, () -> new int[1]).takenOutside().releasedOutside());
            g.input().to(g.output());
        });
        try (Session session = Session.builder().workers(1).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            Handle<int[]> held = run.take(edges.getFirst(), ReleaseRule.once());
            Handle<int[]> released = run.take(edges.getFirst(), ReleaseRule.once());
            run.release(released);
            run.close();
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> run.release(held)),
                    "buffer \"m[0]\" was released, but the run is closed, which has freed it");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> run.release(released)),
                    "its release rule said so at an earlier release");
        }
    }
}
