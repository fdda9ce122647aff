package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stall watch looks at tasks that wait for stages of all kinds; the waits that it looks in go on. */
@Timeout(180)
class StalledStagesTest {
    private final CompletableFuture<String> told = new CompletableFuture<>();

    private SessionBuilder watched() {
        return Session.builder().workers(2).stallWatch(Duration.ofMillis(30), told::complete);
    }

    @Test
    void aStageThatDoesNotSayIfItIsComplete() {
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        Task<Integer> task;
        try (Session session = watched().open()) {
            task = session.graph().task("load").start(context -> stage.minimalCompletionStage());
            var _ = told.thenRun(() -> stage.complete(7));
            session.graph().await();
        }
        assertEquals(7, task.join());
        assertTrue(told.join().contains("\"load\" waits for its stage"), told::join);
    }

    @Test
    void aStageOfTheUsersThatRefusesToBeAsked() {
        final class Refusing extends CompletableFuture<Integer> {
            @Override
            public boolean isDone() {
                throw new IllegalStateException("not to be asked");
            }
        }
        Refusing stage = new Refusing();
        try (Session session = watched().open()) {
            Task<Integer> task = session.graph().task("load").start(context -> stage);
            var _ = told.thenRun(() -> stage.complete(7));
            assertEquals(7, task.join());
        }
    }

    @Test
    void aViewThatAnotherThreadHolds() throws InterruptedException {
        Task<?> behind;
        try (Session session = watched().open()) {
            Data x = session.data().vector("x", new double[3]);
            CountDownLatch open = new CountDownLatch(1);
            Thread other = Thread.ofPlatform().start(() -> {
                try (UserView view = session.data().open(x, Mode.UPDATE)) {
                    open.countDown();
                    view.memory(x).setDouble(0, told.join().length());
                }
            });
            Watchdog.await(open, "the view is open");
            behind = session.graph().task("behind").reads(x).run(context -> {});
            session.graph().await();
            other.join();
        }
        assertEquals(TaskState.DONE, behind.state());
        assertTrue(told.join().contains("\"view of x\" waits for its close"), told::join);
    }
}
