package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.ErrorHandler;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks with an error handler drop items that fail, leave nothing of them, and the run goes on. */
@Timeout(180)
class DroppedItemsTest {
    private static final int ITEMS = 1_000;

    /** An item that cannot be worked on. */
    private static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(int item) {
            super("item " + item);
        }
    }

    private static void requireUsable(int item) throws Unusable {
        if (item % 5 == 3) {
            throw new Unusable(item);
        }
    }

    private static List<Integer> usable() {
        return IntStream.range(0, ITEMS).filter(item -> item % 5 != 3).boxed().toList();
    }

    /** Sends all items, checks the counts of the report, and returns the sorted results. */
    private static List<Integer> run(FlowGraph<Integer, Integer> graph, int workers) {
        try (Session session = Session.builder().workers(workers).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(IntStream.range(0, ITEMS).boxed().toList());
            run.finish();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            RandomFlow.checkNothingIsLost(run);
            FlowReport report = run.report();
            assertEquals(Outcome.DONE, report.outcome());
            assertEquals(ITEMS / 5, report.dropped(), report::toString);
            assertTrue(report.toString().contains(" dropped"), report::toString);
            assertEquals(List.of(), report.outstanding());
            Collections.sort(results);
            return results;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anItemThatFailsLeavesNothingAndTheRunGoesOn(boolean dedicated) {
        for (int copies = 1; copies <= 3; copies++) {
            int many = copies;
            Queue<String> failures = new ConcurrentLinkedQueue<>();
            FlowGraph<Integer, Integer> graph = FlowGraph.build("drops", g -> {
                FlowTask<Integer, Integer> drops = g.task("drops", many, () -> (Integer n, Emitter<Integer> out) -> {
                            out.emit(n); // not passed on, if it fails
                            requireUsable(n);
                        })
                        .onError((item, failure, out) -> failures.add(item + ": " + failure.getMessage()));
                g.input().to(dedicated ? drops.dedicated() : drops).to(g.output());
            });
            assertEquals(usable(), run(graph, 2));
            assertEquals(ITEMS / 5, failures.size());
            assertTrue(failures.contains("998: item 998"), failures::toString);
        }
    }

    @Test
    void aHandlerMayEmitASubstitute() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("drops", g -> {
            FlowTask<Integer, Integer> drops = g.task("drops", 2, () -> (n, out) -> {
                requireUsable(n);
                out.emit(n);
            });
            g.input().to(drops.onError((item, failure, out) -> out.emit(item))).to(g.output());
        });
        assertEquals(IntStream.range(0, ITEMS).boxed().toList(), run(graph, 2));
    }

    /** An item with its buffer, in parts of any kind. */
    private record Loaded(int number, Optional<Map<String, List<Handle<int[]>>>> buffers) {
        static Loaded of(int number, Handle<int[]> buffer) {
            return new Loaded(number, Optional.of(Map.of("buffer", List.of(buffer))));
        }

        Handle<int[]> buffer() {
            return buffers.orElseThrow().values().iterator().next().getFirst();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"take", "pass", "release", "after the release"})
    void theBuffersOfADroppedItemAreGivenBack(String where) {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("lends", g -> {
            MemoryEdge<int[]> edge = g.memory("edge", 2, () -> new int[1]);
            FlowTask<Integer, Loaded> take = g.task("take", 2, () -> (Integer n, Emitter<Loaded> out) -> {
                        out.emit(Loaded.of(n, out.take(edge, ReleaseRule.after(1))));
                        if (where.equals("take")) {
                            requireUsable(n);
                        }
                    })
                    .takes(edge)
                    .onError((item, failure, out) -> {});
            FlowTask<Loaded, Loaded> pass = g.task("pass", 2, () -> (Loaded item, Emitter<Loaded> out) -> {
                        if (where.equals("pass")) {
                            requireUsable(item.number());
                        }
                        out.emit(item);
                    })
                    .onError((item, failure, out) -> item.buffer().value()[0]++); // still lent
            FlowTask<Loaded, Integer> release = g.task("release", 2, () -> (Loaded item, Emitter<Integer> out) -> {
                        if (where.equals("release")) {
                            requireUsable(item.number());
                        }
                        out.release(item.buffer());
                        if (where.equals("after the release")) {
                            requireUsable(item.number());
                        }
                        out.emit(item.number());
                    })
                    .releases(edge)
                    .onError((item, failure, out) -> {});
            g.input().to(take).to(pass).to(release).to(g.output());
        });
        assertEquals(usable(), run(graph, 2));
    }

    @Test
    void aBufferThatOthersUseIsReleasedOnceForADroppedItem() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("shares", g -> {
            MemoryEdge<int[]> edge = g.memory("edge", 3, () -> new int[1]);
            FlowTask<Integer, Handle<int[]>> take = g.task("take", 1, () -> (n, out) -> {
                Handle<int[]> buffer = out.take(edge, ReleaseRule.after(2));
                buffer.value()[0] = n;
                out.emit(buffer);
            });
            FlowTask<Handle<int[]>, Integer> drops = g.task("drops", 2, () -> (buffer, out) -> {
                requireUsable(buffer.value()[0]);
                out.release(buffer);
            });
            FlowTask<Handle<int[]>, Integer> works = g.task("works", 2, () -> (buffer, out) -> {
                int n = buffer.value()[0];
                if (n % 5 != 3) {
                    out.emit(n);
                }
                out.release(buffer); // throws if the other task's item was released twice
            });
            FlowTask<Handle<int[]>, Integer> looks = g.task("looks", 1, () -> (buffer, out) -> {});
            g.input().to(take.takes(edge));
            take.to(drops.releases(edge).onError((item, failure, out) -> {})).endsHere();
            take.to(works.releases(edge)).to(g.output());
            take.to(looks.onError((item, failure, out) -> {})).endsHere();
        });
        assertEquals(usable(), run(graph, 2));
    }

    @Test
    void aTaskThatReleasesNothingGivesNothingBackForADroppedItem() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("looks", g -> {
            MemoryEdge<int[]> edge = g.memory("edge", 3, () -> new int[1]);
            FlowTask<Integer, Loaded> take =
                    g.task("take", 1, () -> (n, out) -> out.emit(Loaded.of(n, out.take(edge))));
            FlowTask<Loaded, Integer> looks = g.task("looks", 1, () -> (item, out) -> requireUsable(item.number()));
            FlowTask<Loaded, Integer> works = g.task("works", 1, () -> (item, out) -> {
                out.release(item.buffer()); // throws if the dropped item has released it
                out.emit(item.number());
            });
            g.input().to(take.takes(edge));
            take.to(works.releases(edge)).to(g.output());
            take.to(looks.onError((item, failure, out) -> {})).endsHere();
        });
        assertEquals(ITEMS, run(graph, 2).size());
    }

    @Test
    void tasksInTurnForTwoBuffersGoOnAfterADroppedItem() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("in turn", g -> {
            MemoryEdge<int[]> edge = g.memory("edge", 2, () -> new int[1]);
            FlowTask<Integer, Loaded> first = g.task("first", 3, () -> (Integer n, Emitter<Loaded> out) -> {
                        if (n % 10 == 3) {
                            throw new Unusable(n); // has taken none of the buffers that it was granted
                        }
                        out.emit(Loaded.of(n, out.take(edge)));
                    })
                    .takes(edge)
                    .onError((item, failure, out) -> {});
            FlowTask<Loaded, Integer> second = g.task("second", 3, () -> (Loaded item, Emitter<Integer> out) -> {
                        Handle<int[]> more = out.take(edge);
                        requireUsable(item.number());
                        out.release(more);
                        out.release(item.buffer());
                        out.emit(item.number());
                    })
                    .takes(edge)
                    .releases(edge)
                    .onError((item, failure, out) -> {});
            g.input()
                    .to(first)
                    .to(second.priority((a, b) -> b.number() - a.number()))
                    .to(g.output());
        });
        assertEquals(usable(), run(graph, 3));
    }

    @Test
    void aCycleEndsAlthoughItsItemsAreDropped() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("rounds", g -> {
            FlowTask<Integer, Integer> round = g.task("round", 2, () -> (Integer n, Emitter<Integer> out) -> {
                        out.emit(n + ITEMS);
                        requireUsable(n);
                    })
                    .onError((item, failure, out) -> {})
                    .terminatedWhen(Termination.whenDrained());
            Bookkeeper<Integer> turn = g.bookkeeper("turn");
            g.input().to(round).to(turn);
            turn.<Integer>rule((n, pipeline, out) -> {
                        if (n < 3 * ITEMS) {
                            out.emit(n);
                        }
                    })
                    .to(round);
            turn.<Integer>rule((n, pipeline, out) -> {
                        if (n >= 3 * ITEMS) {
                            out.emit(n - 3 * ITEMS);
                        }
                    })
                    .to(g.output());
        });
        assertEquals(usable(), run(graph, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"body", "task", "continuation", "last continuation"})
    void anItemWithEngineTasksIsDroppedWithTheBuffersThatItTook(String where) {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("engine", g -> {
            MemoryEdge<Data> edge = g.memory("edge", 2, Layout.of(DataType.INT64, 4));
            FlowTask<Integer, Integer> task = g.task("task", 2, () -> (Integer n, Emitter<Integer> out) -> {
                        Handle<Data> buffer = out.take(edge, ReleaseRule.after(2));
                        out.emit(n); // not before the item is done
                        out.graph().task("write").writes(buffer.value()).run(context -> {
                            if (where.equals("task")) {
                                requireUsable(n);
                            }
                            context.memory(buffer.value()).setLong(0, n);
                        });
                        out.whenDone(then -> {
                            if (where.equals("continuation")) {
                                requireUsable(n);
                            }
                            then.graph().task("more").reads(buffer.value()).run(context -> {});
                            then.whenDone(last -> {
                                if (where.equals("last continuation")) {
                                    requireUsable(n);
                                }
                                last.release(buffer);
                                last.release(buffer);
                            });
                        });
                        if (where.equals("body")) {
                            requireUsable(n);
                        }
                    })
                    .takes(edge)
                    .releases(edge)
                    .inFlight(3)
                    .onError((item, failure, out) -> assertTrue(item % 5 == 3, failure::toString));
            g.input().to(task).to(g.output());
        });
        assertEquals(usable(), run(graph, 2));
    }

    private static FlowFailedException failureOf(
            Supplier<Body<Integer, Integer>> body, ErrorHandler<Integer, Integer> handler) {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("drops", g -> {
            FlowTask<Integer, Integer> task = g.task("drops", 1, body);
            g.input().to(task.onError(handler)).to(g.output());
        });
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(List.of(1, 2, 3));
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            RandomFlow.checkNothingIsLost(run);
            assertEquals(1, run.report().tasks().getFirst().failed());
            assertEquals(0, run.report().dropped());
            return failed;
        }
    }

    @Test
    void aHandlerThatThrowsFailsTheRunWithBothExceptions() {
        Unusable unusable = new Unusable(1);
        IllegalStateException worse = new IllegalStateException("no log");
        FlowFailedException failed = failureOf(
                () -> (n, out) -> {
                    throw unusable;
                },
                (item, failure, out) -> {
                    out.emit(7); // not passed on
                    throw worse;
                });
        assertSame(unusable, failed.getCause());
        assertEquals(List.of(worse), List.of(unusable.getSuppressed()));
        assertEquals("1", failed.item());
    }

    @Test
    void aHandlerSubmitsNoTasks() {
        FlowFailedException failed = failureOf(
                () -> (n, out) -> {
                    throw new Unusable(n);
                },
                (item, failure, out) -> out.graph());
        assertInstanceOf(Unusable.class, failed.getCause());
        assertMentions(failed.getCause().getSuppressed()[0], "submits tasks outside of execute");
    }

    @Test
    void anErrorFailsTheRun() {
        FlowFailedException failed = failureOf(
                () -> (n, out) -> {
                    throw new AssertionError(n);
                },
                (item, failure, out) -> {});
        assertInstanceOf(AssertionError.class, failed.getCause());
    }

    @Test
    void anItemThatGivesUpWithTheRunIsCancelledAndNotDropped() {
        CountDownLatch begun = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("waits", g -> {
            FlowTask<Integer, Integer> waits = g.task("waits", 1, () -> (n, out) -> {
                begun.countDown();
                new CountDownLatch(1).await(); // until the end of the run interrupts it
            });
            g.input()
                    .to(waits.dedicated().onError((item, failure, out) -> out.emit(item)))
                    .to(g.output());
        });
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(List.of(1, 2));
            Watchdog.await(begun, "the body");
            run.cancel();
            assertThrows(CancellationException.class, run::await);
            RandomFlow.checkNothingIsLost(run);
            assertEquals(2, run.report().cancelled());
        }
    }
}
