package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks that are submitted once and run many times. */
class RecordTest {
    private final Session session = Session.builder().workers(2).open();
    private final TaskGraph graph = session.graph("live", FailurePolicy.CONTINUE);
    private final Handle<int[]> x = session.wrap("x", new int[8]);
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void edgesAreInferredOnceAndHoldInEveryRun() {
        CompiledGraph step = session.record("step", rec -> {
            for (int i = 0; i < 8; i++) {
                int at = i;
                rec.task("add").accesses(x, Access.update(Area.of(at, at))).run(ctx -> ctx.get(x)[at]++);
            }
            rec.task("double").updates(x).run(ctx -> {
                for (int i = 0; i < 8; i++) {
                    ctx.get(x)[i] *= 2;
                }
            });
        });
        for (int run = 0; run < 10; run++) {
            step.run();
        }
        for (int value : x.value()) {
            assertEquals(2046, value);
        }
    }

    @Test
    void recordedEdgesAreThoseOfALiveGraph() {
        Random random = new Random(7);
        for (int round = 0; round < 50; round++) {
            long seed = random.nextLong();
            order.clear();
            submitSome(graph, seed);
            graph.await();
            int[] live = x.value().clone();
            java.util.Arrays.fill(x.value(), 0);
            CompiledGraph recorded = session.record(rec -> submitSome(rec, seed));
            recorded.run();
            for (int i = 0; i < 8; i++) {
                assertEquals(live[i], x.value()[i]);
            }
            java.util.Arrays.fill(x.value(), 0);
        }
    }

    /** Tasks whose result depends on their order. */
    private void submitSome(Tasks tasks, long seed) {
        Random random = new Random(seed);
        Task<?> last = null;
        for (int i = 0; i < 30; i++) {
            int from = random.nextInt(8);
            int to = from + random.nextInt(8 - from);
            int number = i + 1;
            TaskBuilder builder = tasks.task("t" + i).accesses(x, Access.update(Area.of(from, to)));
            if (last != null && random.nextInt(4) == 0) {
                builder.after(last);
            }
            if (random.nextInt(10) == 0) {
                builder.flag(Flag.SYNCHRONIZING);
            }
            if (random.nextInt(4) == 0) {
                builder.tag("group");
            }
            if (random.nextInt(4) == 0) {
                builder.afterTag("group");
            }
            last = builder.run(ctx -> {
                for (int at = from; at <= to; at++) {
                    ctx.get(x)[at] = 31 * ctx.get(x)[at] + number;
                }
            });
        }
    }

    @Test
    void aTaskDecidesOnAnotherPass() {
        CompiledGraph solve = session.record("solve", rec -> {
            rec.task("step").updates(x).run(ctx -> ctx.get(x)[0]++);
            rec.repeatWhile("again", t -> t.reads(x), ctx -> ctx.get(x)[0] % 100 != 0);
        });
        solve.run();
        assertEquals(100, x.value()[0]);
        solve.run();
        assertEquals(200, x.value()[0]);
    }

    @Test
    void aTaskChoosesABranch() {
        CompiledGraph branching = session.record("branching", rec -> {
            rec.task("count").updates(x).run(ctx -> ctx.get(x)[0]++);
            rec.choose("which", t -> t.reads(x), 2, ctx -> ctx.get(x)[0] % 2)
                    .in(0, even -> even.task("even").updates(x).run(ctx -> order.add("even")))
                    .in(1, odd -> odd.task("odd").updates(x).run(ctx -> order.add("odd")));
            rec.task("end").updates(x).run(ctx -> order.add("end"));
        });
        branching.run();
        branching.run();
        assertEquals(List.of("odd", "end", "even", "end"), order);
    }

    @Test
    void aBranchIsNotCancelledForWhoOnlyReadWhatItOverwrites() {
        Handle<int[]> y = session.wrap("y", new int[1]);
        CompiledGraph branching = session.record("branching", rec -> {
            rec.task("bad reader").reads(x).updates(y).run(ctx -> {
                throw new IllegalStateException("no");
            });
            rec.choose("which", t -> {}, 2, ctx -> 0)
                    .in(0, chosen -> chosen.task("writer").writes(x).run(ctx -> order.add("writer")));
            rec.task("after").reads(x).run(ctx -> order.add("after"));
        });
        assertThrows(TaskFailedException.class, branching::run);
        assertEquals(List.of("writer", "after"), order);
    }

    @Test
    void aSkippedBranchLeavesThePoisonThatItWouldHaveOverwritten() {
        CompiledGraph branching = session.record("branching", rec -> {
            rec.task("bad").updates(x).run(ctx -> {
                throw new IllegalStateException("no");
            });
            rec.choose("which", t -> {}, 2, ctx -> 1)
                    .in(0, other -> other.task("writer").writes(x).run(ctx -> order.add("writer")));
            rec.task("after").reads(x).run(ctx -> order.add("after"));
        });
        assertThrows(TaskFailedException.class, branching::run);
        assertEquals(List.of(), order);
    }

    @Test
    void aGraphIsATaskOfAnother() {
        CompiledGraph inner = session.record("inner", rec -> {
            rec.task("a").updates(x).run(ctx -> ctx.get(x)[0] += 2);
            rec.task("b").updates(x).run(ctx -> ctx.get(x)[0] *= 3);
        });
        CompiledGraph outer = session.record("outer", rec -> {
            rec.task("before").writes(x).run(ctx -> ctx.get(x)[0] = 1);
            rec.graph("inner", inner);
            rec.task("after").updates(x).run(ctx -> ctx.get(x)[0] += 1);
        });
        outer.run();
        assertEquals(10, x.value()[0]);
        graph.task("first").writes(x).run(ctx -> ctx.get(x)[0] = 2);
        inner.submit(graph, "inner, live");
        Task<Integer> last = graph.task("last").reads(x).call(ctx -> ctx.get(x)[0]);
        assertEquals(12, last.join());
    }

    @Test
    void anInnerRunThatFailsFailsItsTask() {
        CompiledGraph inner = session.record(
                "inner",
                rec -> rec.task("bad").updates(x).run(ctx -> {
                    throw new IllegalStateException("no");
                }));
        Task<?> run = inner.submit(graph, "run");
        Task<?> reader = graph.task("reader").reads(x).run(ctx -> {});
        assertMentions(assertThrows(TaskFailedException.class, graph::await), "task \"run\" failed", "no");
        assertEquals(TaskState.FAILED, run.state());
        assertEquals(TaskState.CANCELLED, reader.state());
    }

    @Test
    void cancellingALiveGraphCancelsTheRunInside() {
        CountDownLatch begun = new CountDownLatch(1);
        CompiledGraph inner = session.record("inner", rec -> {
            rec.task("first").updates(x).run(ctx -> {
                begun.countDown();
                while (!ctx.cancelled()) {
                    Thread.onSpinWait();
                }
            });
            rec.task("second").updates(x).run(ctx -> order.add("second"));
        });
        Task<?> run = inner.submit(graph, "run");
        graph.task("cancel").run(ctx -> {
            begun.await();
            graph.cancel();
        });
        assertThrows(CancellationException.class, graph::await);
        assertEquals(TaskState.CANCELLED, run.state());
        assertEquals(List.of(), order);
    }

    /** The live graph goes on, and so has to say why a part of it was not done. */
    @Test
    void aRunInsideThatIsCancelledByItselfFailsItsTask() {
        CountDownLatch begun = new CountDownLatch(1);
        CompiledGraph inner = session.record(
                "inner",
                rec -> rec.task("first").updates(x).run(ctx -> {
                    begun.countDown();
                    Watchdog.until(ctx::cancelled, "the run is cancelled");
                }));
        Task<?> run = inner.submit(graph, "run");
        graph.task("cancel").run(ctx -> {
            begun.await();
            inner.cancel();
        });
        TaskFailedException failure = assertThrows(TaskFailedException.class, graph::await);
        assertInstanceOf(CancellationException.class, failure.getCause());
        assertEquals(TaskState.FAILED, run.state());
    }

    @Test
    void aResultHoldsTheValueOfTheLastRun() {
        List<Task<Integer>> results = new ArrayList<>();
        CompiledGraph count = session.record(
                "count", rec -> results.add(rec.task("count").updates(x).call(ctx -> ++ctx.get(x)[0])));
        count.run();
        count.run();
        assertEquals(2, results.getFirst().join());
        Task<?>[] plain = new Task<?>[1];
        session.record("plain", rec -> plain[0] = rec.task("t").run(ctx -> {}));
        assertMentions(assertThrows(IllegalStateException.class, plain[0]::join), "task \"t\" is recorded");
    }

    /** Looking into each of the graphs within would take for ever. */
    @Test
    void graphsMayEachHoldTheLastOneTwice() {
        CompiledGraph last = session.record("t", rec -> rec.task("t").updates(x).run(ctx -> {}));
        for (int i = 0; i < 60; i++) {
            CompiledGraph inner = last;
            last = session.record("twice", rec -> {
                rec.graph("one", inner);
                rec.graph("other", inner);
            });
        }
        assertEquals(2, last.size());
    }

    /** A setting of a graph that is recorded already would be lost. */
    @Test
    void aRecordingThatIsOverTakesNothing() {
        List<Recorder> kept = new ArrayList<>();
        session.record("over", rec -> {
            kept.add(rec);
            rec.task("t").run(ctx -> {});
        });
        Recorder over = kept.getFirst();
        assertMentions(
                assertThrows(IllegalStateException.class, () -> over.whenBusy(CompiledGraph.OverlapRule.QUEUE)),
                "\"over\" is built");
        assertMentions(
                assertThrows(IllegalStateException.class, () -> over.scheduler(Scheduler.TOPOLOGICAL)),
                "\"over\" is built");
    }

    @Test
    void whatCannotBeFrozenIsRefused() {
        Resource board = session.unordered("board");
        session.record("refusals", rec -> {
            assertRefused(rec.task("board").updates(board), "accesses an unordered resource");
            assertRefused(rec.task("main").flag(Flag.MAIN_THREAD), "is for the main thread");
            assertRefused(rec.task("again").updates(x).retries(1), "is to be retried");
            assertRefused(rec.task("adjustable").adjustable(), "is adjustable");
            assertRefused(rec.task("abandoned").abandonable(), "is abandonable");
            assertRefused(rec.task("slow").timeLimit(Duration.ofSeconds(1)), "has a time limit");
            assertMentions(
                    assertThrows(
                            UnsupportedOperationException.class,
                            () -> rec.task("elsewhere").startOn(Runnable::run, ctx -> 1)),
                    "is asynchronous");
            rec.task("refines").updates(x).run(ctx -> ctx.refine(sub -> {}));
        });
        CompiledGraph refines =
                session.record("refines", rec -> rec.task("r").updates(x).run(ctx -> ctx.refine(sub -> {})));
        assertMentions(assertThrows(TaskFailedException.class, refines::run), "belongs to a compiled graph");
    }

    private static void assertRefused(TaskBuilder task, String why) {
        assertMentions(assertThrows(UnsupportedOperationException.class, () -> task.run(ctx -> {})), why);
    }
}
