package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.Checking;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What others take from a task while checking mode looks at what it reads. */
@Timeout(180)
class CheckedWhileGivenUpTest {
    /** A value at which something happens whenever checking mode looks at it. */
    private static final class Looked {
        private Runnable then;
        long value;

        Looked(Runnable then) {
            this.then = then;
        }

        long look() {
            Runnable now = then;
            then = () -> {};
            now.run();
            return value;
        }
    }

    private final Session session = Session.builder()
            .workers(3)
            .checking(Checking.basic().hashing(Looked.class, Looked::look))
            .open();
    private final TaskGraph graph = session.graph();
    private final CompletableFuture<Task<?>> reader = new CompletableFuture<>();

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void dataThatIsGivenUpAsTheBodyStartsIsNotLookedAt() {
        Data x = session.data().vector("x", new double[2]);
        Handle<Looked> first = session.wrap(
                "first", new Looked(() -> assertTrue(reader.join().tryDemote(x, Access.none()), "in time")));
        Task<?> task = graph.task("task").reads(first).reads(x).adjustable().run(context -> {});
        reader.complete(task);
        graph.await();
        assertEquals(TaskState.DONE, task.state());
    }

    /** The writer is over when the contents are compared. */
    @Test
    void whatIsGivenUpWhileItIsComparedMayChange() {
        CountDownLatch written = new CountDownLatch(1);
        Looked value = new Looked(() -> {});
        Handle<Looked> x = session.wrap("x", value);
        Task<?> task = graph.task("reader")
                .reads(x)
                .adjustable()
                .run(context -> value.then = () -> {
                    assertTrue(reader.join().tryDemote(x, Access.none()), "in time");
                    Watchdog.await(written, "the writer runs");
                });
        reader.complete(task);
        graph.task("writer").updates(x).run(context -> {
            context.get(x).value = 1;
            written.countDown();
        });
        graph.await();
        assertEquals(TaskState.DONE, task.state());
    }

    /** The sub-task is over, and what the task read has gone to disk, when the body returns. */
    @Test
    void memoryThatWentToSubTasksIsNotLookedAt(@TempDir Path folder) {
        long bytes = 8L * 1_000;
        try (Session small = Session.builder()
                .workers(2)
                .hostMemory(bytes)
                .disk(folder, 10 * bytes, false)
                .checking()
                .open()) {
            Data x = small.data().vector("x", DataType.FLOAT64, 1_000);
            Data y = small.data().vector("y", DataType.FLOAT64, 1_000);
            TaskGraph tasks = small.graph();
            tasks.task("write x").writes(x).run(context -> context.memory(x).setDouble(0, 1));
            CountDownLatch refined = new CountDownLatch(1);
            CountDownLatch gone = new CountDownLatch(1);
            Task<?> reader = tasks.task("reader").reads(x).run(context -> {
                context.refine(inside -> inside.task("inside").reads(x).run(its -> {}));
                refined.countDown();
                Watchdog.await(gone, "y takes the memory");
            });
            Watchdog.await(refined, "the reader runs");
            tasks.task("write y").writes(y).run(context -> {
                context.memory(y).setDouble(0, 2);
                gone.countDown();
            });
            tasks.await();
            assertEquals(TaskState.DONE, reader.state());
        }
    }
}
