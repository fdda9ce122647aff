package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskListener;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that split into sub-tasks, and tasks that give up rights. */
class RefineDemoteTest {
    private final Session session = Session.builder().workers(2).open();
    private final TaskGraph graph = session.graph();
    private final Handle<int[]> x = session.wrap("x", new int[10]);
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void aTaskIsOverWhenItsSubTasksAre() {
        graph.task("whole").updates(x).run(ctx -> {
            ctx.refine(sub -> {
                for (int i = 0; i < 10; i++) {
                    Area part = Area.of(i, i);
                    int at = i;
                    sub.task("part " + i).accesses(x, Access.update(part)).run(c -> c.get(x)[at] = at);
                    sub.task("again " + i).accesses(x, Access.update(part)).run(c -> c.get(x)[at] *= 2);
                }
            });
        });
        Task<Integer> sum = graph.task("sum").reads(x).call(ctx -> {
            int total = 0;
            for (int value : ctx.get(x)) {
                total += value;
            }
            return total;
        });
        assertEquals(90, sum.join());
        graph.await();
        assertEquals(22, graph.report().done());
    }

    @Test
    void refinementsNest() {
        graph.task("outer")
                .updates(x)
                .run(ctx -> ctx.refine(sub -> {
                    for (int half = 0; half < 2; half++) {
                        int from = 5 * half;
                        Area area = Area.of(from, from + 4);
                        sub.task("half " + half)
                                .accesses(x, Access.update(area))
                                .run(mid -> mid.refine(inner -> {
                                    for (int i = from; i < from + 5; i++) {
                                        int at = i;
                                        inner.task("cell")
                                                .accesses(x, Access.update(Area.of(at, at)))
                                                .run(c -> c.get(x)[at]++);
                                    }
                                }));
                    }
                }));
        graph.task("twice").updates(x).run(ctx -> {
            for (int i = 0; i < 10; i++) {
                ctx.get(x)[i] *= 3;
            }
        });
        graph.await();
        for (int value : x.value()) {
            assertEquals(3, value);
        }
    }

    @Test
    void whatIsLeftRunsAfterTheSubTasks() {
        graph.task("whole").updates(x).run(ctx -> {
            ctx.refine(sub -> {
                sub.task("a").updates(x).run(c -> order.add("a"));
                sub.task("b").updates(x).run(c -> order.add("b"));
            });
            ctx.afterwards(c -> order.add("rest"));
        });
        graph.task("next").updates(x).run(ctx -> order.add("next"));
        graph.await();
        assertEquals(List.of("a", "b", "rest", "next"), order);
    }

    @Test
    void aSubTaskMustNotNeedMoreThanItsParent() {
        Resource y = session.resource("y");
        Task<?> task = graph.task("reader").reads(x).run(ctx -> {
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> ctx.refine(
                                    sub -> sub.task("writer").updates(x).run(c -> {}))),
                    "sub-task \"writer\" of task \"reader\"",
                    "more than its parent declares: READ x");
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> ctx.refine(sub -> sub.task("other").reads(y).run(c -> {}))),
                    "sub-task \"other\" of task \"reader\"",
                    "its parent declares no access to y");
        });
        task.join();
    }

    @Test
    void aFailedSubTaskFailsItsParentAndCancelsWhatReads() {
        Task<?> whole = graph.task("whole")
                .updates(x)
                .run(ctx -> ctx.refine(sub -> {
                    sub.task("bad").updates(x).run(c -> {
                        throw new IllegalStateException("no");
                    });
                    sub.task("after").updates(x).run(c -> order.add("after"));
                }));
        Task<?> reader = graph.task("reader").reads(x).run(ctx -> order.add("reader"));
        TaskFailedException failure = assertThrows(TaskFailedException.class, graph::await);
        assertEquals("bad", failure.task());
        assertEquals(TaskState.FAILED, whole.state());
        assertEquals(TaskState.CANCELLED, reader.state());
        assertTrue(order.isEmpty());
    }

    @Test
    void aPendingTaskIsRefinedFromOutside() {
        CountDownLatch gate = new CountDownLatch(1);
        graph.task("first").updates(x).run(ctx -> gate.await(10, TimeUnit.SECONDS));
        Task<?> second = graph.task("second").updates(x).adjustable().run(ctx -> order.add("body"));
        AtomicInteger early = new AtomicInteger();
        second.tryRefine(sub -> sub.task("part").updates(x).run(c -> {
            if (gate.getCount() > 0) {
                early.incrementAndGet();
            }
            order.add("part");
        }));
        graph.task("third").updates(x).run(ctx -> order.add("third"));
        gate.countDown();
        graph.await();
        assertEquals(0, early.get());
        assertEquals("third", order.getLast());
        assertEquals(3, order.size());
        assertFalse(second.tryRefine(sub -> {}), "it is over");
    }

    @Test
    void readersStartWhenAWriterBecomesAReader() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        CountDownLatch demoted = new CountDownLatch(1);
        graph.task("writer").updates(x).run(ctx -> {
            ctx.get(x)[0] = 7;
            ctx.demote(x, Access.read());
            demoted.countDown();
            assertTrue(seen.await(10, TimeUnit.SECONDS));
        });
        Task<Integer> reader = graph.task("reader").reads(x).call(ctx -> {
            int found = ctx.get(x)[0];
            seen.countDown();
            return found;
        });
        Task<?> next = graph.task("next writer").updates(x).run(ctx -> assertEquals(0, seen.getCount()));
        assertEquals(7, reader.join());
        next.join();
        demoted.await();
    }

    /** Between them another task overwrites what the failed one goes on writing: the reader sees nothing of it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailureBehindADemotionReachesThoseThatReadWhatIsLeft(boolean overwritten) {
        Handle<int[]> y = session.wrap("y", new int[1]);
        CountDownLatch submitted = new CountDownLatch(1);
        graph.task("gives up").updates(x).updates(y).run(ctx -> {
            submitted.await();
            ctx.demote(y, Access.read());
            throw new IllegalStateException("planned");
        });
        graph.task("between")
                .accesses(x, overwritten ? Access.write() : Access.read())
                .run(ctx -> {});
        Task<?> reader = graph.task("reads").reads(x).reads(y).run(ctx -> {});
        submitted.countDown();
        assertThrows(TaskFailedException.class, graph::await);
        assertEquals(overwritten ? TaskState.DONE : TaskState.CANCELLED, reader.state());
    }

    /** The sub-task may have left it half written: others learn of that at the end of the task around it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTaskKeepsWhatASubTaskHasFailedToWrite(boolean unordered) {
        Resource around = unordered ? session.unordered("around") : session.resource("around");
        Handle<int[]> y = session.wrap("y", new int[1], around);
        CountDownLatch begun = new CountDownLatch(1);
        graph.task("whole").updates(y).run(ctx -> {
            begun.countDown();
            List<Task<?>> parts = new ArrayList<>();
            ctx.refine(inside -> parts.add(inside.task("part").updates(y).run(part -> {
                part.get(y)[0] = 13;
                throw new IllegalStateException("half written");
            })));
            Watchdog.until(() -> parts.getFirst().state().isOver(), "the sub-task is over");
            Watchdog.until(() -> givesUp(ctx, y), "it needs nothing any more");
        });
        Watchdog.await(begun, "the task runs"); // before that, without an order, the other one might go first
        Task<?> behind = graph.task("behind").reads(y).run(ctx -> {});
        assertThrows(TaskFailedException.class, graph::await);
        assertEquals(TaskState.CANCELLED, behind.state());
    }

    /** A listener holds the end of the sub-task in the middle: its outcome is known there, and its links are open. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTaskKeepsWhatASubTaskIsAboutToLeaveHalfWritten(boolean unordered) {
        CountDownLatch ending = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        TaskListener holds = change -> {
            if (change.task().equals("part") && change.state() == TaskState.FAILED) {
                ending.countDown();
                Watchdog.await(goesOn, "the task gives up");
            }
        };
        try (Session own = Session.builder().workers(3).listener(holds).open()) {
            Resource around = unordered ? own.unordered("around") : own.resource("around");
            Handle<int[]> y = own.wrap("y", new int[1], around);
            own.graph().task("whole").updates(y).run(ctx -> {
                ctx.refine(inside -> inside.task("part").updates(y).run(part -> {
                    throw new IllegalStateException("half written");
                }));
                Watchdog.await(ending, "the sub-task fails");
                boolean gaveUp = givesUp(ctx, y);
                goesOn.countDown();
                assertEquals(unordered, gaveUp);
            });
            Watchdog.await(ending, "the task runs");
            Task<?> behind = own.graph().task("behind").reads(y).run(ctx -> {});
            assertThrows(TaskFailedException.class, own.graph()::await);
            assertEquals(TaskState.CANCELLED, behind.state());
        }
    }

    /** Returns false while the sub-task's end is not complete. */
    private static boolean givesUp(TaskContext task, Handle<?> what) {
        try {
            task.demote(what, Access.none());
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void demotionOfAPendingTaskWaitsForWhatItWaitsFor() {
        CountDownLatch gate = new CountDownLatch(1);
        graph.task("W1").updates(x).run(ctx -> {
            gate.await();
            order.add("W1");
        });
        Task<?> second = graph.task("W2").updates(x).adjustable().run(ctx -> order.add("W2"));
        graph.task("R3").reads(x).run(ctx -> order.add("R3"));
        second.tryDemote(x, Access.read());
        gate.countDown();
        graph.await();
        assertEquals("W1", order.getFirst());
        assertEquals(3, order.size());
    }

    @Test
    void thereIsNoPromotion() {
        Task<?> reader = graph.task("reader").reads(x).adjustable().run(ctx -> {
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> ctx.demote(x, Access.update())),
                    "task \"reader\" cannot demote its access to \"x\" to UPDATE",
                    "can only be reduced");
            ctx.demote(x, Access.none());
            assertThrows(IllegalArgumentException.class, () -> ctx.demote(x, Access.read()));
        });
        reader.join();
    }

    @Test
    void aSubTaskKeepsItsParentFromGivingUpWhatItNeeds() {
        CountDownLatch gate = new CountDownLatch(1);
        Task<?> parent = graph.task("parent").updates(x).run(ctx -> {
            ctx.refine(sub -> sub.task("child").updates(x).run(c -> gate.await()));
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> ctx.demote(x, Access.read())),
                    "task \"parent\" cannot demote its access to x to READ",
                    "its sub-task \"child\" still needs UPDATE x");
            gate.countDown();
        });
        parent.join();
    }

    @Test
    void partsAndTheWholeConflictAndSiblingsDoNot() throws Exception {
        Resource left = session.resource("x.left", x);
        Resource right = session.resource("x.right", x);
        CountDownLatch both = new CountDownLatch(2);
        graph.task("left").updates(left).run(ctx -> {
            both.countDown();
            assertTrue(both.await(10, TimeUnit.SECONDS));
            order.add("part");
        });
        graph.task("right").updates(right).run(ctx -> {
            both.countDown();
            assertTrue(both.await(10, TimeUnit.SECONDS));
            order.add("part");
        });
        graph.task("whole").updates(x).run(ctx -> order.add("whole"));
        graph.task("left again").reads(left).run(ctx -> order.add("part"));
        graph.await();
        assertEquals(List.of("part", "part", "whole", "part"), order);
    }

    @Test
    void unorderedResourcesExclude() {
        Resource board = session.unordered("board");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 200; i++) {
            graph.task("tile").updates(board).run(ctx -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                inside.decrementAndGet();
            });
        }
        graph.await();
        assertEquals(1, most.get());
        assertEquals(200, graph.report().done());
    }

    @Test
    void tagsOrderGroups() {
        for (int i = 0; i < 5; i++) {
            graph.task("a").tag("assemble").run(ctx -> order.add("a"));
        }
        for (int i = 0; i < 5; i++) {
            graph.task("s").afterTag("assemble").tag("solve").run(ctx -> order.add("s"));
        }
        graph.task("end").afterTag("solve").run(ctx -> order.add("end"));
        graph.await();
        assertEquals(List.of("a", "a", "a", "a", "a", "s", "s", "s", "s", "s", "end"), order);
    }

    @Test
    void codeThatDependsOnAResultRunsOnNoWorker() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Task<Integer> one = graph.task("one").call(ctx -> {
            gate.await();
            return 1;
        });
        CompletableFuture<String> where = one.stage()
                .thenApply(value -> value + " in " + session.executor().isInsideNode())
                .toCompletableFuture();
        gate.countDown();
        assertEquals("1 in false", where.get());
    }

    @Test
    void aStageFailsAsTheTaskDoes() {
        Task<?> bad = graph.task("bad").run(ctx -> {
            throw new IllegalStateException("no");
        });
        CompletionException failure = assertThrows(
                CompletionException.class,
                () -> bad.stage().toCompletableFuture().join());
        assertMentions(Objects.requireNonNull(failure.getCause()), "task \"bad\" failed on worker", "no");
        graph.await();
    }
}
