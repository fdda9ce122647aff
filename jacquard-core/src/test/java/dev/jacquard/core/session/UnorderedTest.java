package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.GraphReport;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unordered resources as users meet them: who comes next, and what a failing holder does to the others. */
@Timeout(180)
class UnorderedTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aTaskThatFailsWhileItHoldsALockDoesTheOthersNoHarm(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Resource lock = session.unordered("lock");
            TaskGraph graph = session.graph();
            int[] sum = new int[1];
            for (int i = 0; i < 100; i++) {
                boolean fails = i == 10;
                graph.task("t" + i).updates(lock).run(ctx -> {
                    if (fails) {
                        throw new Exception("one of them");
                    }
                    sum[0]++;
                });
            }
            assertThrows(TaskFailedException.class, graph::await);
            graph.task("later").updates(lock).run(ctx -> sum[0]++);
            graph.await();
            assertEquals(100, sum[0]);
            assertEquals(new GraphReport(101, 100, 1, 0), graph.report());
        }
    }

    @Test
    void aGraphThatIsCancelledDoesNotCancelAnotherThatSharesALock() throws Exception {
        try (Session session = Session.builder().workers(2).open()) {
            Resource lock = session.unordered("lock");
            TaskGraph one = session.graph("one", FailurePolicy.CONTINUE);
            TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
            CompletableFuture<Void> holds = new CompletableFuture<>();
            CountDownLatch held = new CountDownLatch(1);
            one.task("holder").updates(lock).start(ctx -> {
                held.countDown();
                return holds;
            });
            held.await();
            int[] sum = new int[1];
            for (int i = 0; i < 200; i++) {
                one.task("mine").updates(lock).run(ctx -> {});
                other.task("theirs").updates(lock).run(ctx -> sum[0]++);
            }
            one.cancel();
            holds.complete(null);
            other.await();
            assertEquals(200, sum[0]);
            assertThrows(CancellationException.class, one::await);
        }
    }

    @Test
    void aHandleThatIsPartOfALockIsPoisonedLikeAnyOther() {
        try (Session session = Session.builder().workers(2).open()) {
            Resource lock = session.unordered("lock");
            Handle<int[]> histogram = session.wrap("histogram", new int[1], lock);
            TaskGraph graph = session.graph();
            graph.task("fails").updates(histogram).run(ctx -> {
                throw new Exception("half written");
            });
            assertThrows(TaskFailedException.class, graph::await);
            graph.task("reads").reads(histogram).run(ctx -> {});
            assertMentions(
                    assertThrows(TaskFailedException.class, graph::await),
                    "so \"fails\" -> \"reads\" was cancelled"); // anew, since the failure was told before
            graph.task("anew").writes(histogram).run(ctx -> ctx.get(histogram)[0] = 5);
            graph.await();
            graph.task("reads again").reads(histogram).run(ctx -> assertEquals(5, ctx.get(histogram)[0]));
            graph.await();
        }
    }

    /** A task that was to overwrite it all, and has not, leaves what is half written as it was. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void poisonStaysUntilATaskThatOverwritesItEndsWell(boolean cancelled) {
        try (Session session = Session.builder().workers(2).open()) {
            Resource lock = session.unordered("lock");
            Handle<int[]> histogram = session.wrap("histogram", new int[1], lock);
            TaskGraph graph = session.graph();
            Task<?> bad = graph.task("fails").updates(histogram).run(ctx -> {
                throw new Exception("half written");
            });
            assertThrows(TaskFailedException.class, bad::join);
            TaskBuilder anew = graph.task("anew").writes(lock);
            Task<?> over = (cancelled ? anew.after(bad) : anew).run(ctx -> {
                throw new Exception("not written");
            });
            assertThrows(TaskFailedException.class, over::join);
            Task<?> reads = graph.task("reads").reads(histogram).run(ctx -> {});
            assertThrows(TaskFailedException.class, reads::join);
            assertEquals(TaskState.CANCELLED, reads.state());
            graph.task("anew").writes(lock).run(ctx -> {
                ctx.get(histogram)[0] = 5;
                ctx.demote(lock, Access.read());
                throw new Exception("behind the last write");
            });
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(
                    5,
                    graph.task("reads again")
                            .reads(histogram)
                            .call(ctx -> ctx.get(histogram)[0])
                            .join());
        }
    }

    /** A kind of access that breaks its laws: it knows no other. */
    private record Odd(int n) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return n > ((Odd) earlier).n;
        }

        @Override
        public boolean covers(Access other) {
            return equals(other);
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public boolean writes() {
            return true;
        }
    }

    @Test
    void anAccessThatThrowsFailsItsTaskAlone() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph();
            Handle<int[]> x = session.wrap("x", new int[1], session.unordered("lock"));
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            graph.task("holds").updates(x).run(ctx -> {
                begun.countDown();
                goOn.await();
            });
            Watchdog.await(begun, "a worker has begun");
            Task<?> odd = graph.task("odd").accesses(x, new Odd(3)).run(ctx -> {});
            session.executor().background(() -> {
                Watchdog.until(
                        () -> session.snapshot().toString().contains("\"odd\" waits for \"holds\""), "odd has asked");
                goOn.countDown();
            });
            assertMentions(
                    assertThrows(TaskFailedException.class, odd::join),
                    "an access of task \"odd\" breaks its laws: java.lang.ClassCastException");
            graph.task("anew").writes(x).run(ctx -> {});
            graph.await();
        }
    }

    @Test
    void anOutputComesBehindAllContributionsInWhateverOrderTheseRan() {
        try (Session session = Session.builder().workers(4).open()) {
            Handle<int[]> sum = session.wrap("sum", new int[1], session.unordered("lock"));
            TaskGraph graph = session.graph();
            List<Integer> outputs = Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 50; i++) {
                graph.task("contribution").tag("contributions").updates(sum).run(ctx -> ctx.get(sum)[0]++);
            }
            graph.task("output").afterTag("contributions").reads(sum).run(ctx -> outputs.add(ctx.get(sum)[0]));
            graph.await();
            assertEquals(List.of(50), outputs);
        }
    }

    @Test
    void thePolicySaysWhichWaiterIsNext() throws Exception {
        try (Session session =
                Session.builder().workers(2).policy(Policies.named("priority")).open()) {
            Resource lock = session.unordered("lock");
            TaskGraph graph = session.graph();
            CompletableFuture<Void> holds = new CompletableFuture<>();
            CountDownLatch held = new CountDownLatch(1);
            graph.task("holder").updates(lock).start(ctx -> {
                held.countDown();
                return holds;
            });
            held.await();
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            for (int i = 1; i <= 3; i++) {
                String name = "urgency " + i;
                CountDownLatch tried = new CountDownLatch(1);
                graph.task(name).priority(i).updates(lock).run(ctx -> order.add(name));
                graph.task("behind in the queue").run(ctx -> tried.countDown());
                tried.await();
            }
            while (session.snapshot().tasks().stream()
                            .filter(task -> !task.waitsFor().isEmpty())
                            .count()
                    < 3) {
                Thread.onSpinWait();
            }
            holds.complete(null);
            graph.await();
            assertEquals(List.of("urgency 3", "urgency 2", "urgency 1"), order);
        }
    }
}
