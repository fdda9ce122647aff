package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.Area;
import dev.jacquard.core.data.Handle;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.depend.AccessTracker;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Result;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.testing.Watchdog;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tasks that are over leave behind: poison, no more of it than needed, and nothing that they no longer use. */
@Timeout(60)
class LeftBehindTest {
    @Test
    void closeWaitsForWhatAnotherGraphsTaskSubmittedMeanwhile() {
        AtomicInteger ran = new AtomicInteger();
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph first = session.graph("first", FailurePolicy.CONTINUE);
            TaskGraph second = session.graph("second", FailurePolicy.CONTINUE);
            second.task("outer").run(ctx -> first.task("inner").run(inner -> ran.incrementAndGet()));
        }
        assertEquals(1, ran.get());
    }

    @Test
    void poisonOfManyIsNoMoreThanThatOfOne() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            graph.task("bad").updates(x).run(ctx -> {
                throw new IllegalStateException("no");
            });
            for (int i = 0; i < 1000; i++) {
                graph.task("add").accesses(x, Access.add()).run(ctx -> {});
                if (i % 100 == 0) {
                    assertThrows(TaskFailedException.class, graph::await);
                }
            }
            assertThrows(TaskFailedException.class, graph::await);
            int tracked = ((AccessTracker<?>) Objects.requireNonNull(x.tracker())).size();
            assertTrue(tracked < 300, tracked + " accesses are tracked");
            Result<?> late = graph.task("late").reads(x).run(ctx -> {});
            assertThrows(TaskFailedException.class, late::join);
            assertThrows(TaskFailedException.class, graph::await);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFinishedTaskForgetsItsInside(boolean retried) {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            List<WeakReference<Object>> parts = Collections.synchronizedList(new ArrayList<>());
            List<Result<?>> results = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                var builder = session.graph().task("outer").updates(x);
                results.add((retried ? builder.retries(1) : builder)
                        .run(ctx -> ctx.refine(inside -> {
                            Object value = new byte[1000];
                            parts.add(new WeakReference<>(value));
                            inside.task("inner")
                                    .updates(session.wrap("part", value, x))
                                    .run(sub -> {});
                        })));
            }
            session.graph().await();
            for (int tries = 0; tries < 20 && parts.stream().anyMatch(it -> it.get() != null); tries++) {
                System.gc();
            }
            parts.forEach(it -> assertNull(it.get(), "a part is still alive"));
            results.forEach(Result::join);
        }
    }

    @Test
    void tagsOrderSubTasksToo() {
        try (Session session = Session.builder().workers(2).open()) {
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            Handle<int[]> x = session.wrap("x", new int[1]);
            session.graph().task("outer").updates(x).run(ctx -> {
                ctx.refine(inside -> {
                    inside.task("a").tag("group").run(sub -> order.add("a"));
                    inside.task("b").afterTag("group").run(sub -> order.add("b"));
                });
                ctx.demote(x, Access.none());
            });
            session.graph().await();
            assertEquals(List.of("a", "b"), order);
        }
    }

    @Test
    void tagsOfThePastAreFree() {
        try (Session session = Session.builder().workers(1).open()) {
            List<WeakReference<Result<?>>> members = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                members.add(new WeakReference<>(
                        session.graph().task("member").tag("step " + i).run(ctx -> {})));
                session.graph().task("after").afterTag("step " + i).run(ctx -> {});
            }
            session.graph().await();
            for (int tries = 0; tries < 20 && members.stream().anyMatch(it -> it.get() != null); tries++) {
                System.gc();
            }
            long alive = members.stream().filter(it -> it.get() != null).count();
            assertTrue(alive < 10, alive + " members of tags are still alive");
        }
    }

    // ---- an overwriting task that gives up what it was to write before it starts

    @ParameterizedTest
    @ValueSource(strings = {"READ", "NONE", "WRITE"})
    void poisonThatWasToBeOverwrittenStaysWhenThatIsGivenUp(String to) {
        Access left = "READ".equals(to) ? Access.read() : "NONE".equals(to) ? Access.none() : Access.write();
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            CountDownLatch gate = new CountDownLatch(1);
            graph.task("bad").updates(x).run(ctx -> {
                Watchdog.await(gate, "the gate opens");
                throw new IllegalStateException("no");
            });
            Result<?> between = graph.task("between").writes(x).adjustable().run(ctx -> {});
            Result<?> second = graph.task("second").writes(x).adjustable().run(ctx -> {});
            between.demotePending(x, left);
            second.demotePending(x, left);
            Result<?> reader = graph.task("reader").reads(x).run(ctx -> {});
            gate.countDown();
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals("NONE".equals(to) ? TaskState.DONE : TaskState.CANCELLED, between.state());
            assertEquals("NONE".equals(to) ? TaskState.DONE : TaskState.CANCELLED, second.state());
            assertEquals(TaskState.CANCELLED, reader.state());
            Result<?> late = graph.task("late").reads(x).run(ctx -> {});
            assertThrows(TaskFailedException.class, late::join);
            assertThrows(TaskFailedException.class, graph::await);
            graph.task("anew").writes(x).run(ctx -> {});
            graph.task("clean").reads(x).run(ctx -> {});
            graph.await();
        }
    }

    private static void failsBehind(TaskGraph graph, CountDownLatch gate, Access access, Resource resource) {
        graph.task("bad").accesses(resource, access).run(ctx -> {
            Watchdog.await(gate, "the gate opens");
            throw new IllegalStateException("no");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsNotOverwrittenAfterAllIsPoisonedOnlyAsFarAsItWasStillToBeWritten(boolean area) {
        try (Session session = Session.builder().workers(2).open()) {
            Resource x = session.resource("x");
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            CountDownLatch gate = new CountDownLatch(1);
            Resource y = session.resource("y");
            graph.task("bad").updates(x).reads(y).run(ctx -> {
                Watchdog.await(gate, "the gate opens");
                ctx.demote(x, area ? Access.write(Area.of(0, 1)) : Access.none());
                throw new IllegalStateException("no");
            });
            Result<?> between =
                    graph.task("between").writes(x).writes(y).adjustable().run(ctx -> {});
            between.demotePending(x, Access.add(Area.of(2, 3)));
            Result<?> spared =
                    graph.task("spared").accesses(x, Access.read(Area.of(2, 3))).run(ctx -> {});
            Result<?> reader = graph.task("reader").reads(x).run(ctx -> {});
            gate.countDown();
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(TaskState.DONE, between.state());
            assertEquals(TaskState.DONE, spared.state());
            assertEquals(area ? TaskState.CANCELLED : TaskState.DONE, reader.state());
        }
    }

    @Test
    void poisonOfTheWholeIsReadByWhoGivesUpToOverwriteAPart() {
        try (Session session = Session.builder().workers(2).open()) {
            Resource whole = session.resource("whole");
            Resource part = session.resource("part", whole);
            Resource leaf = session.resource("leaf", part);
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            CountDownLatch gate = new CountDownLatch(1);
            failsBehind(graph, gate, Access.mul(), whole);
            Result<?> between =
                    graph.task("between").writes(part).writes(leaf).adjustable().run(ctx -> {});
            between.demotePending(leaf, Access.add());
            gate.countDown();
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(TaskState.CANCELLED, between.state());
        }
    }

    @Test
    void poisonThatAnotherHasOverwrittenMeanwhileDoesNotComeBack() {
        try (Session session = Session.builder().workers(2).open()) {
            Resource x = session.resource("x");
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            CountDownLatch gate = new CountDownLatch(1);
            failsBehind(graph, gate, Access.write(Area.of(0, 1)), x);
            Result<?> between = graph.task("between").writes(x).adjustable().run(ctx -> {});
            between.demotePending(x, Access.none());
            Result<?> early =
                    graph.task("early").accesses(x, Access.read(Area.of(0, 1))).run(ctx -> {});
            Result<?> anew = graph.task("anew")
                    .accesses(x, Access.overwrite(Area.of(0, 1)))
                    .run(ctx -> {});
            Result<?> clean = graph.task("clean").reads(x).run(ctx -> {});
            gate.countDown();
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(TaskState.DONE, between.state());
            assertEquals(TaskState.CANCELLED, early.state());
            assertEquals(TaskState.DONE, anew.state());
            assertEquals(TaskState.DONE, clean.state());
            graph.task("late").reads(x).run(ctx -> {});
            graph.await();
        }
    }

    @Test
    void whoGivesUpToOverwriteByTwoAccessesOneAfterTheOtherLeavesThePoison() {
        try (Session session = Session.builder().workers(2).open()) {
            Resource x = session.resource("x");
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            CountDownLatch gate = new CountDownLatch(1);
            failsBehind(graph, gate, Access.write(Area.of(0, 1)), x);
            Result<?> between = graph.task("between")
                    .accesses(x, Access.overwrite(), Access.overwrite(Area.of(0, 1)))
                    .adjustable()
                    .run(ctx -> {});
            between.demotePending(x, Access.none());
            between.demotePending(x, Access.none());
            Result<?> reader = graph.task("reader").reads(x).run(ctx -> {});
            gate.countDown();
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(TaskState.DONE, between.state());
            assertEquals(TaskState.CANCELLED, reader.state());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLongRowOfThoseThatGiveUpToOverwriteLeavesThePoisonToTheLast(boolean inPart) {
        try (Session session = Session.builder().workers(2).open()) {
            Resource x = session.resource("x");
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            CountDownLatch gate = new CountDownLatch(1);
            failsBehind(graph, gate, Access.write(Area.of(0, 1)), x);
            for (int i = 0; i < 10_000; i++) {
                graph.task("t" + i).writes(x).adjustable().run(ctx -> {}).demotePending(x, Access.none());
            }
            Result<?> early = graph.task("early").reads(x).run(ctx -> {});
            if (inPart) {
                graph.task("anew").accesses(x, Access.overwrite(Area.of(0, 1))).run(ctx -> {});
            }
            for (int i = 0; i < 10; i++) {
                graph.task("more").writes(x).adjustable().run(ctx -> {}).demotePending(x, Access.none());
            }
            Result<?> last = graph.task("last").reads(x).run(ctx -> {});
            gate.countDown();
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(TaskState.CANCELLED, early.state());
            assertEquals(inPart ? TaskState.DONE : TaskState.CANCELLED, last.state());
        }
    }

    @Test
    void poisonThatManyWereToOverwriteIsReadByWhoGivesUpToOverwriteAPart() {
        try (Session session = Session.builder().workers(2).open()) {
            Resource x = session.resource("x");
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            CountDownLatch gate = new CountDownLatch(1);
            failsBehind(graph, gate, Access.write(), x);
            for (int i = 0; i < 3; i++) {
                graph.task("t" + i).writes(x).adjustable().run(ctx -> {}).demotePending(x, Access.none());
            }
            Result<?> part = graph.task("part")
                    .accesses(x, Access.overwrite(Area.of(0, 1)))
                    .adjustable()
                    .run(ctx -> {});
            part.demotePending(x, Access.read(Area.of(0, 1)));
            gate.countDown();
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(TaskState.CANCELLED, part.state());
        }
    }

    @Test
    void whoNoLongerMeetsWhatIsLeftOfItDoesNotReadThePoison() {
        try (Session session = Session.builder().workers(2).open()) {
            Resource x = session.resource("x");
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            CountDownLatch gate = new CountDownLatch(1);
            graph.task("bad").writes(x).run(ctx -> {
                Watchdog.await(gate, "the gate opens");
                ctx.demote(x, Access.mul());
                throw new IllegalStateException("no");
            });
            Result<?> between = graph.task("between").writes(x).adjustable().run(ctx -> {});
            between.demotePending(x, Access.none());
            Result<?> beside = graph.task("beside").accesses(x, Access.mul()).run(ctx -> {});
            gate.countDown();
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(TaskState.DONE, beside.state());
        }
    }

    @Test
    void poisonOfUnorderedResourcesIsNoMoreThanThatOfOne() {
        try (Session session = Session.builder().workers(1).open()) {
            Resource board = session.unordered("board");
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            List<WeakReference<Result<?>>> tasks = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                tasks.add(new WeakReference<>(graph.task("t").updates(board).run(ctx -> {
                    throw new IllegalStateException("no");
                })));
            }
            assertThrows(TaskFailedException.class, graph::await);
            for (int tries = 0; tries < 20 && tasks.stream().anyMatch(it -> it.get() != null); tries++) {
                System.gc();
            }
            long alive = tasks.stream().filter(it -> it.get() != null).count();
            assertTrue(alive < 10, alive + " tasks that are over are still alive");
        }
    }
}
