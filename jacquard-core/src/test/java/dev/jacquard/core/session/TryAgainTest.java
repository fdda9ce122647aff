package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.memory.data.Copier;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Second tries that meet what is left of the first, and users' code that throws where the engine calls it. */
@Timeout(180)
class TryAgainTest {
    private final Session session = Session.builder().workers(2).open();
    private final TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
    private final Handle<int[]> x = session.wrap("x", new int[1]);

    @AfterEach
    void close() {
        session.close();
    }

    private static final class Broken implements Copier<int[]> {
        private final boolean copies;

        Broken(boolean copies) {
            this.copies = copies;
        }

        @Override
        public int[] copy(int[] original) {
            if (!copies) {
                throw new IllegalStateException("cannot copy");
            }
            return original.clone();
        }

        @Override
        public void restore(int[] kept, int[] target) {
            throw new IllegalStateException("cannot restore");
        }
    }

    @Test
    void aCopierThatThrowsFailsTheTaskAlone() {
        for (boolean copies : new boolean[] {false, true}) {
            Handle<int[]> y = session.wrap("y", new int[1], new Broken(copies));
            Task<?> bad = graph.task("bad").updates(y).retries(2).run(ctx -> {
                throw new IllegalArgumentException("first");
            });
            assertThrows(TaskFailedException.class, bad::join);
            graph.await();
        }
        assertEquals(3, graph.task("next").call(ctx -> 3).join());
    }

    @Test
    void whatATaskReadsAndOverwritesIsRestored() {
        Handle<int[]> part = session.wrap("part", new int[1], x);
        for (Handle<int[]> read : List.of(x, part)) {
            AtomicInteger tries = new AtomicInteger();
            graph.task("flaky").reads(read).writes(x).retries(1).run(ctx -> {
                assertEquals(0, ctx.get(x)[0]);
                if (tries.incrementAndGet() == 1) {
                    ctx.get(x)[0] = 42;
                    throw new IllegalStateException("once");
                }
            });
            graph.await();
            assertEquals(2, tries.get());
        }
    }

    @Test
    void partsOfAWholeThatATaskUpdatesAreRestored() {
        Handle<int[]> part = session.wrap("part", new int[1], x);
        Handle<int[]> inner = session.wrap("inner", new int[1], part);
        Resource plain = session.resource("plain");
        Resource lock = session.unordered("lock");
        Handle<int[]> ofPlain = session.wrap("of plain", new int[1], plain);
        Handle<int[]> ofLock = session.wrap("of lock", new int[1], lock);
        Handle<int[]> same = session.wrap("same", x.value(), x); // another name for what x holds
        AtomicInteger tries = new AtomicInteger();
        graph.task("flaky").updates(x).updates(plain).updates(lock).retries(2).run(ctx -> {
            for (Handle<int[]> each : List.of(x, same, part, inner, ofPlain, ofLock)) {
                ctx.get(each)[0]++;
            }
            if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("twice");
            }
        });
        graph.await();
        assertEquals(2, x.value()[0], "by two names");
        for (Handle<int[]> each : List.of(part, inner, ofPlain, ofLock)) {
            assertEquals(1, each.value()[0], each.name());
        }
    }

    @Test
    void aPartThatIsAskedForByNameIsRestored() {
        Handle<int[]> part = session.wrap("part", new int[1], x);
        AtomicInteger tries = new AtomicInteger();
        graph.task("flaky").updates(x).reads(part).retries(2).run(ctx -> {
            ctx.get("part", int[].class)[0]++;
            if (tries.incrementAndGet() < 3) {
                throw new IllegalStateException("twice");
            }
        });
        graph.await();
        assertEquals(1, part.value()[0]);
    }

    @Test
    void aPartThatCannotBeRestoredIsRefusedWhenTheTaskAsksForIt() {
        StringBuilder text = new StringBuilder();
        Handle<StringBuilder> part = session.wrap("part", text, x);
        Task<?> flaky = graph.task("flaky")
                .updates(x)
                .retries(1)
                .run(ctx -> ctx.get(part).append("again and again"));
        assertMentions(
                assertThrows(TaskFailedException.class, flaky::join),
                "task \"flaky\" cannot be retried: of UPDATE x, there is no copier for its part \"part\": make that"
                        + " as a new Handle<>(…) with a Copier");
        assertEquals("", text.toString());
    }

    /** What ran before it cannot be taken back by restoring what was there before the task. */
    @Test
    void whatIsLeftToDoIsNotTriedAgainWithoutTheRest() {
        AtomicInteger tries = new AtomicInteger();
        Task<?> both = graph.task("both").updates(x).retries(3).run(ctx -> {
            ctx.refine(inside -> inside.task("inner").updates(x).run(sub -> sub.get(x)[0] += 1));
            ctx.afterwards(rest -> {
                rest.get(x)[0] += 10;
                if (tries.incrementAndGet() == 1) {
                    throw new IllegalStateException("once");
                }
            });
        });
        assertThrows(TaskFailedException.class, both::join);
        assertEquals(1, tries.get());
        graph.await();
    }

    /** A try that fails is no failure of the task while there are more, and in a cancelled graph these do not start. */
    @Test
    void aTaskIsCancelledWhoseGraphIsBeforeItIsTriedAgain() {
        int[] values = new int[1];
        Handle<int[]> y = session.wrap("y", values);
        Task<?> flaky = graph.task("flaky").updates(y).retries(2).run(ctx -> {
            ctx.get(y)[0] = 1;
            graph.cancel();
            throw new IllegalStateException("once");
        });
        CancellationException thrown = assertThrows(CancellationException.class, flaky::join);
        assertMentions(thrown, "task \"flaky\" was cancelled with its graph while it ran");
        assertEquals(TaskState.CANCELLED, flaky.state());
        assertEquals(0, values[0], "as it was before the first try");
        assertThrows(CancellationException.class, graph::await);
    }

    @Test
    void theLastTryOfATaskWhoseGraphIsCancelledFails() {
        AtomicInteger tries = new AtomicInteger();
        Task<?> bad = graph.task("bad").retries(1).run(ctx -> {
            if (tries.incrementAndGet() == 2) {
                graph.cancel();
            }
            throw new IllegalStateException("always");
        });
        assertMentions(assertThrows(TaskFailedException.class, bad::join), "after 2 tries");
        assertEquals(TaskState.FAILED, bad.state());
        assertThrows(CancellationException.class, graph::await);
    }

    @Test
    void whatIsLeftToDoIsCancelledWithTheGraph() {
        AtomicInteger rests = new AtomicInteger();
        Task<?> split = graph.task("split").updates(x).run(ctx -> {
            ctx.afterwards(rest -> rests.incrementAndGet());
            ctx.refine(inside -> inside.task("inner").updates(x).run(sub -> graph.cancel()));
        });
        assertMentions(
                assertThrows(CancellationException.class, split::join),
                "task \"split\" was cancelled with its graph while it ran");
        assertEquals(0, rests.get());
        assertThrows(CancellationException.class, graph::await);
    }

    @Test
    void whatAFailedTryLeftToDoIsForgotten() {
        AtomicInteger tries = new AtomicInteger();
        AtomicInteger rests = new AtomicInteger();
        graph.task("t").updates(x).retries(1).run(ctx -> {
            if (tries.incrementAndGet() == 1) {
                ctx.afterwards(rest -> rests.incrementAndGet());
                throw new IllegalStateException("once");
            }
        });
        graph.await();
        assertEquals(0, rests.get());
    }

    @Test
    void aBodyThatReturnedTooLateIsTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        Task<Integer> late = graph.task("late")
                .timeLimit(Duration.ofMillis(20))
                .retries(3)
                .call(ctx -> {
                    if (tries.incrementAndGet() == 1) {
                        while (!Thread.currentThread().isInterrupted()) {
                            Thread.onSpinWait();
                        }
                    }
                    return 7;
                });
        assertEquals(7, late.join());
        graph.await();
    }

    @Test
    void aStageThatWasGivenUpDoesNotEndTheNextTry() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<String> second = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> then) {
                waits.countDown();
                return super.whenComplete(then);
            }
        };
        CountDownLatch tried = new CountDownLatch(2);
        Task<String> task = graph.task("t")
                .timeLimit(Duration.ofMillis(200))
                .retries(1)
                .abandonable()
                .start(ctx -> {
                    tried.countDown();
                    return tried.getCount() == 1 ? first : second;
                });
        Watchdog.await(waits, "the second try waits for its stage");
        first.complete("old");
        second.complete("new");
        assertEquals("new", task.join());
        graph.await();
    }

    @Test
    void aValueThatComesTooLateIsNotSeen() {
        CompletableFuture<String> never = new CompletableFuture<>();
        Task<String> task =
                graph.task("t").timeLimit(Duration.ofMillis(20)).abandonable().start(ctx -> never);
        assertThrows(TaskFailedException.class, task::join);
        never.complete("late");
        graph.await();
    }

    /** One that nobody can cancel. */
    private static final class Stubborn extends CompletableFuture<Integer> {
        @Override
        public boolean cancel(boolean interrupt) {
            throw new UnsupportedOperationException("not this one");
        }
    }

    @Test
    void aStageThatThrowsWhenItIsCancelledSparesTheOthers() {
        List<CompletableFuture<Integer>> stages =
                List.of(new Stubborn(), new CompletableFuture<>(), new Stubborn(), new CompletableFuture<>());
        CountDownLatch begun = new CountDownLatch(stages.size());
        for (CompletableFuture<Integer> stage : stages) {
            graph.task("t").abandonable().start(ctx -> {
                begun.countDown();
                return stage;
            });
        }
        Watchdog.await(begun, "all have begun");
        graph.cancel();
        try { // a body that has begun may hand its stage over only now; then its worker cancels it
            assertThrows(CancellationException.class, () -> stages.get(1).get(10, TimeUnit.SECONDS));
            assertThrows(CancellationException.class, () -> stages.get(3).get(10, TimeUnit.SECONDS));
        } finally {
            stages.get(0).complete(1);
            stages.get(2).complete(1);
        }
        assertThrows(CancellationException.class, graph::await);
    }

    @Test
    void aGraphThatStopsGivesUpItsStages() {
        try (Session other = Session.builder().workers(2).open()) {
            TaskGraph stops = other.graph("stops", FailurePolicy.STOP);
            CompletableFuture<Integer> never = new CompletableFuture<>();
            Task<?> suspended = stops.task("waits").abandonable().start(ctx -> never);
            stops.task("bad").run(ctx -> {
                throw new IllegalStateException("no");
            });
            assertThrows(TaskFailedException.class, stops::await);
            assertNotEquals(TaskState.DONE, suspended.state());
            assertThrows(CancellationException.class, stops::await);
        }
    }
}
