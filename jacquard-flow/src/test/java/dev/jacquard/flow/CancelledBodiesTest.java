package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stop of a run interrupts the bodies that are at work, on the workers too, and nothing else. */
@Timeout(180)
class CancelledBodiesTest {
    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicInteger interrupted = new AtomicInteger();
    private final AtomicInteger strays = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    private FlowGraph<Integer, Integer> blocking(CountDownLatch blocked, boolean dedicated) {
        final class Blocking implements Body<Integer, Integer> {
            @Override
            public void execute(Integer item, Emitter<Integer> out) throws InterruptedException {
                blocked.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                    Thread.currentThread().interrupt(); // and is not seen by the phase that follows
                    throw e;
                }
            }

            @Override
            public void shutdown(Emitter<Integer> out) {
                strays.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                ended.incrementAndGet();
            }
        }
        return FlowGraph.build("blocking", g -> {
            FlowTask<Integer, Integer> task = g.task("block", 2, Blocking::new);
            g.input().to(dedicated ? task.dedicated() : task).to(g.output());
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cancellingInterruptsAllBodiesThatBlock(boolean dedicated) {
        CountDownLatch blocked = new CountDownLatch(2);
        try (Session session = Session.builder().workers(3).open();
                FlowRun<Integer, Integer> run = blocking(blocked, dedicated).start(session)) {
            FlowTest.numbers(10).forEach(run::send);
            Watchdog.await(blocked, "both copies block");
            run.cancel();
            assertThrows(CancellationException.class, run::await);
            assertEquals(2, interrupted.get());
            assertEquals(2, ended.get());
            assertEquals(0, strays.get());
            AtomicBoolean seen = new AtomicBoolean();
            session.graph()
                    .task("next")
                    .run(ctx -> seen.set(Thread.currentThread().isInterrupted()));
            session.graph().await();
            assertFalse(seen.get(), "a task that comes later sees the interrupt");
        }
    }

    @Test
    void aFailureInterruptsTheBodiesThatBlock() {
        CountDownLatch blocked = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("fails", g -> {
            FlowTask<Integer, Integer> fails = g.task("fails", 1, () -> (n, out) -> {
                Watchdog.await(blocked, "the other task blocks");
                throw new IllegalStateException("planned");
            });
            FlowTask<Integer, Integer> blocks = g.task("blocks", 1, () -> (n, out) -> {
                blocked.countDown();
                never.await();
            });
            g.input().to(fails).to(g.output());
            g.input().to(blocks).to(g.output());
        });
        try (Session session = Session.builder().workers(3).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            RuntimeException told = assertThrows(RuntimeException.class, run::await);
            assertTrue(String.valueOf(told.getMessage()).contains("planned"), told.getMessage());
            assertEquals(
                    1,
                    run.report().tasks().stream()
                            .mapToLong(task -> task.failed())
                            .sum());
        }
    }

    /** The tasks of a session that the body waits in are others' code. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noTaskThatABodyWaitsForIsInterrupted(boolean dedicated) {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        AtomicBoolean heard = new AtomicBoolean();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("inside", g -> {
            FlowTask<Integer, Integer> waits = g.task("waits", 1, () -> (n, out) -> {
                try (Session own = Session.builder().workers(1).open()) {
                    own.graph().task("within").run(ctx -> {
                        inside.countDown();
                        Watchdog.await(cancelled, "the cancel"); // throws where it is interrupted
                    });
                    own.graph().await();
                } finally {
                    heard.set(Thread.currentThread().isInterrupted());
                }
            });
            g.input().to(dedicated ? waits.dedicated() : waits).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            Watchdog.await(inside, "the task inside");
            run.cancel();
            cancelled.countDown();
            CancellationException told = assertThrows(CancellationException.class, run::await);
            assertEquals(0, told.getSuppressed().length);
            assertTrue(heard.get(), "the body hears of it afterwards");
        }
    }
}
