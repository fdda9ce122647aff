package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tasks that are over leave behind: poison, no more of it than needed, and nothing that they no longer use. */
@Timeout(180)
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
            Task<?> late = graph.task("late").reads(x).run(ctx -> {});
            assertThrows(TaskFailedException.class, late::join);
            graph.await();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFinishedTaskForgetsItsInside(boolean retried) {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            List<WeakReference<Object>> parts = Collections.synchronizedList(new ArrayList<>());
            List<Task<?>> results = new ArrayList<>();
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
            results.forEach(Task::join);
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
            List<WeakReference<Task<?>>> members = new ArrayList<>();
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

    @Test
    void poisonOfUnorderedResourcesIsNoMoreThanThatOfOne() {
        try (Session session = Session.builder().workers(1).open()) {
            Resource board = session.unordered("board");
            TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
            List<WeakReference<Task<?>>> tasks = new ArrayList<>();
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
