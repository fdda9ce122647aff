package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.testkit.Watchdog;
import java.util.Comparator;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** User code that throws, wherever it is called: its item fails, every item is counted, and the engine goes on. */
@Timeout(180)
class UserCodeTest {
    private static final Comparator<Integer> THROWING = (_, _) -> {
        throw new ArithmeticException("comparator");
    };

    /** Runs to the failure, checks the counts, and then that the session is of use. */
    private static <T> FlowFailedException failure(FlowGraph<T, Integer> graph, int workers, Iterable<T> items) {
        try (Session session = Session.builder().workers(workers).open()) {
            FlowFailedException failed;
            try (FlowRun<T, Integer> run = graph.start(session)) {
                failed = assertThrows(FlowFailedException.class, () -> {
                    for (T item : items) {
                        run.send(item);
                    }
                    run.finish();
                    run.await();
                });
                FlowReport report = run.report();
                assertTrue(
                        report.tasks().stream()
                                        .mapToLong(FlowReport.TaskCount::failed)
                                        .sum()
                                >= 1,
                        report.toString());
                if (run.profile().tasks().size() == 1) {
                    FlowReport.TaskCount only = report.tasks().getFirst();
                    assertEquals(report.sent(), only.executed() + only.failed() + only.cancelled(), report.toString());
                }
                RandomFlow.checkNothingIsLost(run);
                assertEquals(failed.report(), report);
            }
            AtomicInteger later = new AtomicInteger();
            session.graph().task("later").run(context -> later.incrementAndGet());
            session.graph().await();
            assertEquals(1, later.get());
            return failed;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aComparatorThatThrowsFailsItsItem(boolean dedicated) {
        for (int workers = 1; workers <= 2; workers++) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("order", g -> {
                FlowTask<Integer, Integer> a = g.task("a", 1, () -> (n, out) -> {
                    for (int i = 0; i < 300; i++) { // so many that some wait together, and are compared
                        out.emit(n + 100 * i);
                    }
                });
                FlowTask<Integer, Integer> b = g.task("b", 1, () -> (n, out) -> out.emit(n));
                g.input()
                        .to(dedicated ? a.dedicated() : a)
                        .to(b.priority(THROWING))
                        .to(g.output());
            });
            FlowFailedException failed = failure(graph, workers, FlowTest.numbers(50));
            assertInstanceOf(ArithmeticException.class, failed.getCause());
            assertEquals("b", failed.task());
        }
    }

    @Test
    void aComparatorThatThrowsWhereBuffersAreGrantedFailsItsItem() {
        for (int workers = 1; workers <= 2; workers++) {
            AtomicBoolean sent = new AtomicBoolean();
            FlowGraph<Integer, Integer> graph = FlowGraph.build("granted", g -> {
                MemoryEdge<int[]> edge = g.memory("e", 2, () -> new int[1]);
                FlowTask<Integer, Integer> b = g.task("b", 1, () -> (n, out) -> {
                    Watchdog.until(() -> sent.get() || out.stopping(), "items wait together, and are compared");
                    out.release(out.take(edge));
                    out.emit(n);
                });
                g.input().to(b.takes(edge).releases(edge).priority(THROWING)).to(g.output());
            });
            FlowFailedException failed = failure(graph, workers, told(FlowTest.numbers(50), sent));
            assertInstanceOf(ArithmeticException.class, failed.getCause());
        }
    }

    /** Returns the items, with {@code gone} set once all were taken. */
    private static Iterable<Integer> told(Iterable<Integer> items, AtomicBoolean gone) {
        return () -> {
            Iterator<Integer> its = items.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    gone.set(!its.hasNext());
                    return !gone.get();
                }

                @Override
                public Integer next() {
                    return its.next();
                }
            };
        };
    }

    /** Its text never ends. */
    private static final class Endless {
        @Override
        public String toString() {
            return "around " + this;
        }
    }

    @Test
    void anItemWhoseTextOverflowsIsNamedByItsClass() {
        FlowGraph<Endless, Integer> graph = FlowGraph.build("text", g -> {
            FlowTask<Endless, Integer> task = g.task("task", 1, () -> (n, out) -> {
                throw new IllegalArgumentException("body");
            });
            g.input().to(task).to(g.output());
        });
        FlowFailedException failed = failure(graph, 2, java.util.List.of(new Endless()));
        assertEquals(
                Endless.class.getName() + " (its toString failed with java.lang.StackOverflowError)", failed.item());
    }

    @Test
    void aFailureWhoseTextThrowsIsNamedByItsClass() {
        final class Mute extends RuntimeException {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no text");
            }
        }
        FlowGraph<Integer, Integer> graph = FlowGraph.build("mute", g -> {
            FlowTask<Integer, Integer> task = g.task("task", 1, () -> (n, out) -> {
                throw new Mute();
            });
            g.input().to(task).to(g.output());
        });
        assertInstanceOf(Mute.class, failure(graph, 2, FlowTest.numbers(3)).getCause());
    }

    @Test
    void aReleaseRuleThatThrowsFailsTheItem() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("rule", g -> {
            MemoryEdge<int[]> edge = g.memory("e", 2, () -> new int[1]);
            FlowTask<Integer, Integer> task = g.task("task", 1, () -> (n, out) -> {
                out.release(out.take(edge, () -> {
                    throw new StackOverflowError("rule");
                }));
                out.emit(n);
            });
            g.input().to(task.takes(edge).releases(edge)).to(g.output());
        });
        assertInstanceOf(
                StackOverflowError.class,
                failure(graph, 2, FlowTest.numbers(10)).getCause());
    }

    @Test
    void theCountsOfAFailureAreThoseOfTheEnd() {
        for (int round = 0; round < 100; round++) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("counts", g -> {
                FlowTask<Integer, Integer> task = g.task("task", 2, () -> new Body<Integer, Integer>() {
                    @Override
                    public void execute(Integer n, Emitter<Integer> out) {
                        if (n == 3) {
                            throw new IllegalStateException("third");
                        }
                    }
                });
                g.input().to(task).to(g.output());
            });
            FlowFailedException failed = failure(graph, 2, FlowTest.numbers(10));
            assertTrue(failed.toString().contains("1 failed"), failed.toString());
        }
    }
}
