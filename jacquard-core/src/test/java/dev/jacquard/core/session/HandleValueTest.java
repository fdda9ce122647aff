package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The value of a handle outside of tasks, which waits for writers, and elsewhere, where it does not. */
class HandleValueTest {
    /** One worker, so that nothing runs before this thread waits. */
    private static Session session(boolean checking) {
        SessionBuilder builder = Session.builder().workers(1);
        return (checking ? builder.checking() : builder.noChecking()).open();
    }

    // ---- waits

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void outsideOfTasksItWaitsForWriters(boolean checking) {
        try (Session session = session(checking)) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            for (int i = 1; i <= 3; i++) {
                session.graph().task("add").updates(x).run(ctx -> ctx.get(x)[0]++);
                assertEquals(i, x.value()[0]);
            }
        }
    }

    @Test
    void itWaitsForNothingElse() {
        try (Session session = session(false)) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            Task<?> reader = session.graph().task("read").reads(x).run(ctx -> {});
            Task<?> writer = session.graph().task("write").updates(y).run(ctx -> ctx.get(y)[0]++);
            assertEquals(0, x.value()[0]);
            assertEquals(TaskState.READY, reader.state());
            assertEquals(1, y.value()[0]);
            assertEquals(TaskState.DONE, writer.state());
        }
    }

    @Test
    void itWaitsForWritersOfPartsAndOfTheWhole() {
        try (Session session = session(false)) {
            Handle<int[]> whole = session.wrap("whole", new int[2]);
            Handle<int[]> part = session.wrap("part", whole.value(), whole);
            Handle<int[]> inner = session.wrap("inner", whole.value(), part);
            session.graph().task("inner").updates(inner).run(ctx -> ctx.get(inner)[0]++);
            assertEquals(1, whole.value()[0]);
            session.graph().task("whole").updates(whole).run(ctx -> ctx.get(whole)[0]++);
            assertEquals(2, inner.value()[0]);
            session.graph()
                    .task("area")
                    .accesses(whole, Access.update(Area.of(0, 0)))
                    .run(ctx -> ctx.get(whole)[0]++);
            assertEquals(3, part.value()[0]);
        }
    }

    @Test
    void itWaitsForAddingTasks() {
        try (Session session = session(false)) {
            Handle<int[]> sum = session.wrap("sum", new int[1]);
            session.graph().task("add").adds(sum).run(ctx -> ctx.get(sum)[0]++);
            session.graph().task("add").adds(sum).run(ctx -> ctx.get(sum)[0]++);
            assertEquals(2, sum.value()[0]);
        }
    }

    @Test
    void ofAnUnorderedHandleItIsTakenWhileNoTaskHoldsIt() throws Exception {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> log = session.wrap("log", new int[1], session.unordered("logs"));
            CountDownLatch begun = new CountDownLatch(1);
            session.graph().task("log").updates(log).run(ctx -> {
                begun.countDown();
                while (session.snapshot().tasks().stream()
                        .noneMatch(task -> task.name().equals("value of log"))) {
                    Thread.onSpinWait();
                }
                ctx.get(log)[0] = 1;
            });
            begun.await();
            assertEquals(1, log.value()[0]);
        }
    }

    @Test
    void itWaitsForRunsOfCompiledGraphs() {
        try (Session session = session(false)) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            CompiledGraph add =
                    session.record(graph -> graph.task("add").updates(x).run(ctx -> ctx.get(x)[0]++));
            for (int i = 1; i <= 3; i++) {
                add.start();
                assertEquals(i, x.value()[0]);
                add.join();
            }
        }
    }

    @Test
    void itWaitsForSubTasksOnHandlesThatTheirTaskMade() {
        try (Session session = session(false)) {
            AtomicReference<Handle<int[]>> made = new AtomicReference<>();
            Handle<int[]> x = session.wrap("x", new int[1]);
            Task<?> maker = session.graph().task("make").updates(x).run(ctx -> {
                Handle<int[]> inner = session.wrap("made", new int[1]);
                made.set(inner);
                ctx.refine(inside -> inside.task("fill").writes(inner).run(sub -> sub.get(inner)[0] = 1));
            });
            assertEquals(0, x.value()[0]);
            assertEquals(TaskState.DONE, maker.state());
            assertEquals(1, Objects.requireNonNull(made.get()).value()[0]);
        }
    }

    @Test
    void anyThreadWaits() throws Exception {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            session.graph().task("write").updates(x).run(ctx -> {
                begun.countDown();
                goOn.await();
                ctx.get(x)[0] = 1;
            });
            begun.await();
            CompletableFuture<Integer> seen = new CompletableFuture<>();
            Thread reader = Thread.ofVirtual().start(() -> seen.complete(x.value()[0]));
            while (session.snapshot().tasks().stream()
                    .noneMatch(task -> task.name().equals("value of x"))) {
                Thread.onSpinWait();
            }
            goOn.countDown();
            assertEquals(1, seen.get());
            reader.join();
        }
    }

    // ---- tasks that did not write

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailureOfAWriterIsThrownUntilTheHandleIsWritten(boolean checking) {
        try (Session session = session(checking)) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            session.graph().task("bad").writes(x).run(ctx -> {
                throw new IllegalStateException("no x");
            });
            for (int i = 0; i < 2; i++) {
                TaskFailedException failure = assertThrows(TaskFailedException.class, x::value);
                assertMentions(failure, "\"bad\"");
                assertEquals(0, y.value()[0]);
            }
            try (UserView view = session.lock(x, Mode.WRITE)) {
                view.get(x)[0] = 5;
            }
            assertEquals(5, x.value()[0]);
        } // the failure was reported
    }

    @Test
    void aCancelledWriterIsThrown() {
        Session session = session(false);
        Handle<int[]> x = session.wrap("x", new int[1]);
        TaskGraph graph = session.graph("mine", FailurePolicy.CONTINUE);
        graph.task("write").writes(x).run(ctx -> ctx.get(x)[0] = 1);
        graph.cancel();
        CancellationException cancelled = assertThrows(CancellationException.class, x::value);
        assertMentions(cancelled, "\"mine\"");
        assertThrows(CancellationException.class, graph::await);
        session.close();
    }

    @Test
    void anInterruptEndsTheWait() {
        try (Session session = session(false)) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            session.graph().task("write").updates(x).run(ctx -> ctx.get(x)[0] = 1);
            Thread.currentThread().interrupt();
            assertThrows(WaitInterruptedException.class, x::value);
            boolean _ = Thread.interrupted();
            assertEquals(1, x.value()[0]);
        }
    }

    // ---- no waits

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void inATaskItIsTheValueAsItIs(boolean checking) {
        try (Session session = session(checking)) {
            int[] array = new int[1];
            Handle<int[]> x = session.wrap("x", array);
            List<int[]> seen = new ArrayList<>();
            session.graph().task("first").updates(x).run(ctx -> seen.add(x.value()));
            session.graph().task("second").updates(x).run(ctx -> seen.add(ctx.get(x)));
            session.graph().await();
            assertEquals(2, seen.size());
            seen.forEach(each -> assertSame(array, each));
        }
    }

    @Test
    void aThreadThatWorksForTheWriterDoesNotWait() {
        try (Session session = session(false);
                ExecutorService pool = Executors.newSingleThreadExecutor()) {
            Handle<int[]> x = session.wrap("x", new int[1000]);
            session.graph()
                    .task("parallel")
                    .updates(x)
                    .run(ctx -> IntStream.range(0, 1000).parallel().forEach(i -> x.value()[i]++));
            session.graph()
                    .task("function")
                    .updates(x)
                    .startOn(session.executor()::virtualThread, ctx -> x.value()[0]++);
            session.graph()
                    .task("stage")
                    .updates(x)
                    .start(ctx -> CompletableFuture.runAsync(() -> x.value()[0]++, pool));
            session.graph().task("later").updates(x).run(ctx -> ctx.get(x)[0]++);
            session.graph().await();
            assertEquals(4, x.value()[0]);
            assertEquals(1, x.value()[999]);
        }
    }

    @Test
    void aThreadWithAViewDoesNotWait() throws Exception {
        try (Session session = session(false)) {
            Handle<int[]> whole = session.wrap("whole", new int[1]);
            Handle<int[]> part = session.wrap("part", whole.value(), whole);
            session.graph().task("write").updates(whole).run(ctx -> ctx.get(whole)[0] = 1);
            try (UserView view = session.lock(whole, Mode.UPDATE)) {
                session.graph().task("later").updates(whole).run(ctx -> ctx.get(whole)[0] = 7);
                assertEquals(1, whole.value()[0]++);
                assertEquals(2, part.value()[0]);
                Thread helper = Thread.ofPlatform().start(() -> whole.value()[0]++);
                helper.join();
                assertEquals(3, view.get(whole)[0]);
            }
            assertEquals(7, whole.value()[0]);
            try (UserView _ = session.lock(part, Mode.UPDATE)) {
                IllegalStateException refused = assertThrows(IllegalStateException.class, whole::value);
                assertMentions(refused, "close that first");
            }
        }
    }

    @Test
    void aListenerDoesNotWait() {
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<Handle<int[]>> handle = new AtomicReference<>();
        try (Session session = Session.builder()
                .workers(1)
                .listener(change -> {
                    Handle<int[]> x = handle.get();
                    if (x != null) {
                        seen.add(x.value()[0]);
                    }
                })
                .open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            handle.set(x);
            session.graph().task("write").updates(x).run(ctx -> ctx.get(x)[0] = 1);
            assertEquals(List.of(0, 0), seen); // pending, ready
            session.graph().await();
            assertEquals(1, seen.getLast());
        }
    }

    @Test
    void whenTheSessionIsClosedItIsTheLastValue() {
        Handle<int[]> x;
        Handle<int[]> y;
        try (Session session = session(false)) {
            x = session.wrap("x", new int[1]);
            y = session.wrap("y", new int[1]);
            session.graph().task("write").updates(x).run(ctx -> ctx.get(x)[0] = 1);
            Task<?> bad = session.graph().task("bad").writes(y).run(ctx -> {
                throw new IllegalStateException("no y");
            });
            assertThrows(TaskFailedException.class, bad::join);
        }
        assertEquals(1, x.value()[0]);
        assertEquals(0, y.value()[0]);
    }

    @Test
    void whatALoanLendsIsNotWaitedFor() {
        try (Session session = session(false)) {
            Handle<int[]> lent = session.lend("lent", new int[1], () -> false);
            session.graph().task("write").updates(lent).run(ctx -> ctx.get(lent)[0] = 1);
            assertEquals(0, lent.value()[0]);
        }
    }
}
