package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.TaskTimeoutException;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What went wrong, and where. */
class FailureExampleTest {
    @Test
    void theMessageSaysAll() {
        try (Session session = Session.builder().workers(2).noChecking().open()) {
            Handle<double[]> panel = session.wrap("panel[3]", new double[9]);
            Handle<double[]> block = session.wrap("block[3,3]", new double[9]);
            TaskGraph graph = session.graph();
            graph.task("factor (3,3)").updates(block).reads(panel).retries(2).run(ctx -> {
                throw new ArithmeticException("pivot 17 is zero");
            });
            graph.task("update (4,4)").updates(block).run(ctx -> {});
            String message = "";
            try {
                graph.await();
            } catch (TaskFailedException e) {
                message = e.toString();
            }
            String shown = """
                    dev.jacquard.core.graph.TaskFailedException: task "factor (3,3)" failed on worker N after 3 tries (UPDATE block[3,3], READ panel[3]): java.lang.ArithmeticException: pivot 17 is zero
                      2 tasks: 0 done, 1 failed, 1 cancelled, 0 pending; first cancelled: "update (4,4)\"""";
            assertEquals(shown, message.replaceFirst("worker \\d", "worker N"));
        }
    }

    @Test
    void aTryStartsFromWhatWasThere() {
        AtomicInteger tries = new AtomicInteger();
        try (Session session = Session.open()) {
            Handle<int[]> x = session.wrap("x", new int[] {10});
            session.graph().task("flaky").updates(x).retries(2).run(ctx -> {
                ctx.get(x)[0]++;
                if (tries.incrementAndGet() < 3) {
                    throw new IOException("try " + tries);
                }
            });
            session.graph().await();
            assertEquals(11, x.value()[0]);
        }
    }

    @Test
    void aTaskHasATimeLimit() {
        CountDownLatch never = new CountDownLatch(1);
        try (Session session = Session.open()) {
            TaskGraph graph = session.graph();
            graph.task("slow").timeLimit(Duration.ofMillis(5)).run(ctx -> never.await());
            TaskFailedException failure = assertThrows(TaskFailedException.class, graph::await);
            assertTrue(failure.getCause() instanceof TaskTimeoutException, failure.getMessage());
        }
    }

    @Test
    void aGraphHasADeadlineAndCanBeCancelled() {
        try (Session session = Session.open()) {
            TaskGraph graph = session.graph("search", FailurePolicy.STOP);
            graph.deadline(Duration.ofMinutes(10));
            Task<?> look = graph.task("look").run(ctx -> {
                graph.cancel(); // found
                assertTrue(ctx.cancelled());
            });
            assertThrows(CancellationException.class, graph::await);
            assertEquals(TaskState.DONE, look.state());
        }
    }
}
