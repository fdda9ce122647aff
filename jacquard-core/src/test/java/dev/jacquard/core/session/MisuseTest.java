package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programmer errors are told at once, with what was done and what to do, and leave the session as it was. */
@Timeout(180)
class MisuseTest {
    private final Session session = Session.builder().workers(2).open();
    private final TaskGraph graph = session.graph();
    private final Handle<int[]> x = session.wrap("x", new int[1]);

    @AfterEach
    void theSessionStillWorksAndCloses() {
        assertEquals(5, graph.task("after").updates(x).call(context -> 5).join());
        session.close();
    }

    @Test
    void joinInsideATask() {
        AtomicReference<Task<Integer>> own = new AtomicReference<>();
        CountDownLatch known = new CountDownLatch(1);
        Task<Integer> second = graph.task("second").call(context -> {
            known.await();
            return Objects.requireNonNull(own.get()).join();
        });
        own.set(second);
        known.countDown();
        assertMentions(
                failureOf(second),
                "the body of a task must not wait for task \"second\", even if that is over by chance",
                "submit the rest of the body as a separate task");
        graph.await();
    }

    /** Whether the task had accesses or not, and whether what is begun has any. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theContextOfATaskThatIsOver(boolean declares) {
        AtomicReference<TaskContext> kept = new AtomicReference<>();
        TaskBuilder task = graph.task("over");
        (declares ? task.updates(x) : task).run(kept::set);
        graph.await();
        TaskContext context = Objects.requireNonNull(kept.get());
        AtomicBoolean ran = new AtomicBoolean();
        for (Executable use : List.<Executable>of(
                () -> context.refine(inside -> inside.task("ghost").run(ghost -> ran.set(true))),
                () -> context.afterwards(rest -> ran.set(true)),
                () -> context.demote(x, Mode.READ),
                () -> context.get(x))) {
            assertMentions(
                    assertThrows(IllegalStateException.class, use), "task \"over\" is over, and its context was used");
        }
        graph.await();
        assertFalse(ran.get());
        assertEquals(1, graph.report().submitted());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @SuppressWarnings("NullAway") // a mistake of the user's
    void aBodyThatBindsNothing(boolean recorded) {
        BindingBody nothing = context -> null;
        Executable run = recorded
                ? session.record("g", recorder -> recorder.task("binds").run(nothing))::run
                : graph.task("binds").run(nothing)::join;
        assertMentions(assertThrows(TaskFailedException.class, run), "bind returned null, and not the work");
    }

    @Test
    void closeInsideATask() {
        Task<?> task = graph.task("closes").run(context -> session.close());
        failureOf(task);
        graph.await();
    }

    @Test
    void getOfAnUndeclaredHandle() {
        Task<Integer> task = graph.task("careless").call(context -> context.get(x)[0]);
        assertMentions(
                failureOf(task),
                "task \"careless\" touches \"x\" without a declared access",
                "reads, updates, writes or accesses");
        graph.await();
    }

    @Test
    void aContextThatIsKept() {
        AtomicReference<TaskContext> kept = new AtomicReference<>();
        graph.task("keeps").reads(x).run(kept::set);
        graph.await();
        TaskContext context = Objects.requireNonNull(kept.get());
        assertMentions(
                assertThrows(IllegalStateException.class, () -> context.get(x)),
                "task \"keeps\" is over, and its context was used");
    }

    @Test
    void aResourceOfAnotherSession() {
        try (Session other = Session.builder().workers(1).open()) {
            Handle<int[]> foreign = other.wrap("foreign", new int[1]);
            TaskBuilder task = graph.task("t");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> task.reads(foreign)),
                    "task \"t\" of graph \"main\" accesses \"foreign\", which belongs to another session");
        }
    }

    @Test
    void aBuilderUsedTwice() {
        TaskBuilder task = graph.task("twice").updates(x);
        task.run(context -> {});
        assertMentions(
                assertThrows(IllegalStateException.class, () -> task.run(context -> {})),
                "task \"twice\" was submitted already: a builder submits one task, take a new one from the graph");
    }

    @Test
    void theSessionClosedByAnotherThread() {
        assertMentions(
                refusedOnAnotherThread(() -> {
                    session.close();
                    return "";
                }),
                "may close the session; this is outsider");
    }

    @Test
    void areasThatDifferInDimensionsAreRefusedAndNothingElse() {
        Handle<int[]> y = session.wrap("y", new int[1]);
        graph.task("line").accesses(y, Access.update(Area.of(0, 9))).run(context -> {});
        TaskBuilder box = graph.task("box").updates(x).accesses(y, Access.update(Area.of(0, 9, 0, 9)));
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> box.run(context -> {
                            throw new AssertionError("a refused task runs");
                        })),
                "task \"box\" accesses the area [0..9, 0..9] of \"y\", which has 2 dimensions",
                "the areas accessed before have 1");
        Task<Integer> later = graph.task("later").updates(x).updates(y).call(context -> 3);
        graph.await();
        assertEquals(3, later.join());
        assertEquals(
                "2 tasks: 2 done, 0 failed, 0 cancelled, 0 pending",
                graph.report().toString());
    }

    private static Throwable failureOf(Task<?> result) {
        return Objects.requireNonNull(
                assertThrows(TaskFailedException.class, result::join).getCause());
    }

    private static Throwable refusedOnAnotherThread(Supplier<?> action) {
        CompletableFuture<?> outsider =
                CompletableFuture.supplyAsync(action, task -> new Thread(task, "outsider").start());
        Throwable refused =
                assertThrows(CompletionException.class, outsider::join).getCause();
        assertEquals(
                IllegalStateException.class, Objects.requireNonNull(refused).getClass());
        return refused;
    }
}
