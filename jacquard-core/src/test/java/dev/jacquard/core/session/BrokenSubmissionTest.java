package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Handle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Submissions in the midst of which the stack or the memory is full: nothing is left behind, or the run ends and says
 * so.
 */
@Timeout(180)
@ExtendWith(QuietEngine.class)
class BrokenSubmissionTest {
    private static final long DEEP_STACK = 300_000;

    /** Writes, and answers {@code answers} questions before it throws. */
    private static final class Failing implements WritingAccess {
        private final AtomicInteger answers;
        private final Error error;

        Failing(int answers, Error error) {
            this.answers = new AtomicInteger(answers);
            this.error = error;
        }

        @Override
        public boolean conflictsWith(Access earlier) {
            if (answers.getAndDecrement() <= 0) {
                throw error;
            }
            return true;
        }
    }

    @Test
    void anErrorWithinTheChecksLeavesNothingBehind() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph();
            graph.task("first").updates(x).run(ctx -> ctx.get(x)[0]++);
            StackOverflowError full = new StackOverflowError();
            assertThrows(
                    StackOverflowError.class,
                    () -> graph.task("ghost").accesses(x, new Failing(0, full)).run(ctx -> {}));
            graph.task("last").updates(x).run(ctx -> ctx.get(x)[0]++);
            graph.await();
            assertEquals(2, x.value()[0]);
            assertEquals(2, graph.report().done());
        }
    }

    @Test
    void anErrorBehindTheChecksEndsTheRunAndSaysWhich() throws Exception {
        Session session = Session.builder().workers(2).open();
        Handle<int[]> x = session.wrap("x", new int[1]);
        TaskGraph graph = session.graph();
        CompletableFuture<Void> holds = new CompletableFuture<>();
        graph.task("first").updates(x).start(ctx -> holds);
        OutOfMemoryError full = new OutOfMemoryError("no room");
        assertThrows(
                OutOfMemoryError.class,
                () -> graph.task("ghost").accesses(x, new Failing(1, full)).run(ctx -> {}));
        assertMentions(assertThrows(IllegalStateException.class, graph::await), "ghost", "no room");
        assertMentions(
                assertThrows(
                        IllegalStateException.class,
                        () -> graph.task("later").updates(x).run(ctx -> {})),
                "broke off",
                "no room");
        holds.complete(null);
        assertMentions(assertThrows(IllegalStateException.class, session::close), "ghost");
    }

    @Test
    void whoWaitsAlreadyIsToldToo() throws Exception {
        Session session = Session.builder().workers(2).open();
        Handle<int[]> x = session.wrap("x", new int[1]);
        TaskGraph graph = session.graph();
        CompletableFuture<Void> holds = new CompletableFuture<>();
        graph.task("first").updates(x).start(ctx -> holds);
        CompletableFuture<Throwable> told =
                CompletableFuture.supplyAsync(() -> assertThrows(IllegalStateException.class, graph::await));
        OutOfMemoryError full = new OutOfMemoryError("no room");
        assertThrows(
                OutOfMemoryError.class,
                () -> graph.task("ghost").accesses(x, new Failing(1, full)).run(ctx -> {}));
        assertMentions(told.get(30, TimeUnit.SECONDS), "no room");
        holds.complete(null);
        assertThrows(IllegalStateException.class, session::close);
    }

    /**
     * Overflows the stack of the calling thread in the midst of some submission, at a depth that {@code pad} shifts.
     */
    private static int submitDeeper(TaskGraph graph, Handle<int[]> x, int pad, AtomicInteger submitted) {
        if (pad > 0) {
            return 1 + shift(graph, x, pad - 1, submitted);
        }
        graph.task("t").updates(x).run(ctx -> ctx.get(x)[0]++);
        submitted.incrementAndGet();
        return 1 + submitDeeper(graph, x, 0, submitted);
    }

    private static int shift(TaskGraph graph, Handle<int[]> x, long pad, AtomicInteger submitted) {
        long more = pad + 1;
        long less = more ^ pad;
        return submitDeeper(graph, x, (int) pad, submitted) + (int) (less & 0);
    }

    @Test
    void aStackThatOverflowsAnywhereInASubmissionHangsNothing() throws Exception {
        for (int round = 0; round < 40; round++) {
            int pad = round % 17;
            CompletableFuture<String> result = new CompletableFuture<>();
            Thread thread = new Thread(null, () -> result.complete(overflow(pad)), "round " + round, DEEP_STACK);
            thread.setDaemon(true);
            thread.start();
            String how = result.get(30, TimeUnit.SECONDS);
            assertTrue(how.startsWith("all ran") || how.contains("StackOverflowError"), how);
        }
    }

    private static String overflow(int pad) {
        Session session = Session.builder().workers(2).open();
        Handle<int[]> x = session.wrap("x", new int[1]);
        TaskGraph graph = session.graph();
        AtomicInteger submitted = new AtomicInteger();
        String how;
        try {
            for (int again = 0; again < 20; again++) {
                try {
                    submitDeeper(graph, x, pad + again, submitted);
                } catch (StackOverflowError e) {
                    // what the user's code does with it
                }
                graph.task("last").updates(x).run(ctx -> {});
            }
            graph.await();
            int ran = x.value()[0];
            // One that overflowed behind its submission was not counted here.
            how = ran >= submitted.get() && ran <= submitted.get() + 20 ? "all ran" : ran + " of " + submitted;
        } catch (Throwable e) {
            how = "ended: " + e;
        }
        try {
            session.close();
        } catch (Throwable e) {
            how += ", closed: " + e;
        }
        return how;
    }
}
