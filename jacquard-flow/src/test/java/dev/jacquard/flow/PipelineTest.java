package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of a graph that share the items: how items are distributed, what copies inherit and share, and their ends. */
@Timeout(120)
class PipelineTest {
    /** An item with the copy of the pipeline that worked on it. */
    record Done(int item, int copy) {}

    /** Tells its copy. */
    private static final class Marking implements Body<Integer, Done> {
        private int copy = -1;

        @Override
        public void initialize(CopyInfo its) {
            copy = its.pipeline();
        }

        @Override
        public void execute(Integer item, Emitter<Done> out) {
            out.emit(new Done(item, copy));
        }
    }

    private static FlowGraph<Integer, Done> marking() {
        return FlowGraph.build("marking", g -> {
            g.types(Integer.class, Done.class);
            g.input().to(g.task("mark", 1, Marking::new)).to(g.output());
        });
    }

    private static FlowGraph<Integer, Done> over(int copies, Distribution<? super Integer> by) {
        FlowGraph<Integer, Done> inner = marking();
        return FlowGraph.build(
                "outer",
                g -> g.input()
                        .to(g.pipeline("pipe", inner, copies).distribute(by))
                        .to(g.output()));
    }

    /** Runs a graph with one thread, in an order drawn from a seed; returns the results by item. */
    private static <B> List<B> run(FlowGraph<Integer, B> graph, int items) {
        List<B> results = new ArrayList<>();
        try (FlowRun<Integer, B> run = graph.start(new SeededWorkers(items))) {
            run.sendAll(FlowTest.numbers(items));
            run.finish();
            run.forEach(results::add);
            RandomFlow.checkNothingIsLost(run);
        }
        return results;
    }

    /** Returns the copies that the items went to, in the order of the items. */
    private static List<Integer> copies(FlowGraph<Integer, Done> graph, int items) {
        return run(graph, items).stream()
                .sorted(Comparator.comparingInt(Done::item))
                .map(Done::copy)
                .toList();
    }

    // ---- distribution

    @Test
    void itemsGoToCopiesInTurnUnlessStatedOtherwise() {
        FlowGraph<Integer, Done> inner = marking();
        FlowGraph<Integer, Done> graph = FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("pipe", inner, 3)).to(g.output()));
        assertTrue(graph.check().isFine(), () -> graph.check().toString());
        assertEquals(List.of(0, 1, 2, 0, 1, 2, 0), copies(graph, 7));
        assertEquals(List.of(0, 1, 2, 0, 1, 2, 0), copies(graph, 7), "each run begins anew");
    }

    @Test
    void blocksOfItemsGoToCopiesInTurn() {
        assertEquals(List.of(0, 0, 1, 1, 0, 0, 1), copies(over(2, Distribution.blocks(2)), 7));
        assertThrows(IllegalArgumentException.class, () -> Distribution.blocks(0));
    }

    @Test
    void aBroadcastGoesToAllCopies() {
        List<Done> results = new ArrayList<>(run(over(3, Distribution.broadcast()), 2));
        results.sort(Comparator.comparingInt(Done::item).thenComparingInt(Done::copy));
        assertEquals(
                List.of(new Done(0, 0), new Done(0, 1), new Done(0, 2), new Done(1, 0), new Done(1, 1), new Done(1, 2)),
                results);
    }

    @Test
    void anItemAtABorderGoesToBothCopies() {
        Distribution<Integer> halves = Distribution.matching((item, copy) -> copy == 0 ? item <= 2 : item >= 2);
        List<Done> results = new ArrayList<>(run(over(2, halves), 5));
        results.sort(Comparator.comparingInt(Done::item).thenComparingInt(Done::copy));
        assertEquals(
                List.of(new Done(0, 0), new Done(1, 0), new Done(2, 0), new Done(2, 1), new Done(3, 1), new Done(4, 1)),
                results);
    }

    @Test
    void aDistributionOfTheUsersSeesItemAndLoads() {
        assertEquals(
                List.of(2, 1, 0, 2, 1),
                copies(over(3, (item, loads) -> loads.copies() - 1 - item % loads.copies()), 5));
        List<Long> seen = new ArrayList<>();
        copies(
                over(2, (item, loads) -> {
                    seen.add(loads.before());
                    assertEquals(loads.before(), loads.given(0) + loads.given(1));
                    return 1;
                }),
                3);
        assertEquals(List.of(0L, 1L, 2L), seen);
    }

    @Test
    void aDistributionPerRunHasStateOfItsRun() {
        FlowGraph<Integer, Done> inner = marking();
        FlowGraph<Integer, Done> graph = FlowGraph.build(
                "outer",
                g -> g.input()
                        .to(g.pipeline("pipe", inner, 2).distributePerRun(() -> {
                            AtomicInteger left = new AtomicInteger(3);
                            return (item, loads) -> left.getAndDecrement() > 0 ? 0 : 1;
                        }))
                        .to(g.output()));
        assertEquals(List.of(0, 0, 0, 1, 1), copies(graph, 5));
        assertEquals(List.of(0, 0, 0, 1, 1), copies(graph, 5));
    }

    @Test
    void theLeastLoadedCopyGetsTheNextItem() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        FlowGraph<Integer, Done> inner = FlowGraph.build("inner", g -> {
            FlowTask<Integer, Done> work = g.task("work", 1, () -> new Body<Integer, Done>() {
                private int copy;

                @Override
                public void initialize(CopyInfo its) {
                    copy = its.pipeline();
                }

                @Override
                public void execute(Integer item, Emitter<Done> out) throws Exception {
                    if (item < 0) {
                        begun.countDown();
                        held.await();
                    }
                    out.emit(new Done(item, copy));
                }
            });
            g.input().to(work.dedicated().oneByOne()).to(g.output());
        });
        Distribution<Integer> least = Distribution.leastLoaded();
        FlowGraph<Integer, Done> graph = FlowGraph.build(
                "outer",
                g -> g.input()
                        .to(g.pipeline("pipe", inner, 2)
                                .distribute((item, loads) -> item < 0 ? 0 : least.choose(item, loads)))
                        .to(g.output()));
        Map<Integer, Integer> copies = new HashMap<>();
        try (ThreadedWorkers workers = new ThreadedWorkers(2);
                FlowRun<Integer, Done> run = graph.start(workers)) {
            run.sendAll(List.of(-1, -2, -3));
            begun.await(); // copy 0 has these items until the latch opens
            for (int item = 1; item <= 3; item++) {
                run.send(item); // copy 1 has at most the one before, whose body is about to return
                Done done = run.iterator().next();
                copies.put(done.item(), done.copy());
            }
            held.countDown();
            run.finish();
            run.forEach(done -> copies.put(done.item(), done.copy()));
        }
        assertEquals(Map.of(-1, 0, -2, 0, -3, 0, 1, 1, 2, 1, 3, 1), copies);
    }

    // ---- bad input

    @Test
    void aPipelineOverNoDeviceIsRefused() {
        FlowGraph<Integer, Done> inner = marking();
        assertThrowsWith(
                IllegalArgumentException.class,
                () -> FlowGraph.<Integer, Done>build("outer", g -> g.pipeline("pipe", inner, new ExecutionTarget[0])),
                "pipeline \"pipe\" of flow \"outer\" is over no device: name at least one");
        assertThrowsWith(
                IllegalArgumentException.class,
                () -> FlowGraph.<Integer, Done>build("outer", g -> g.pipeline("pipe", inner, 0)),
                "has 0 copies: at least 1");
    }

    @Test
    void aPipelineThatDoesNotExistIsNamedWithTheItem() {
        FlowFailedException failure =
                assertThrows(FlowFailedException.class, () -> run(over(2, (item, loads) -> item == 1 ? 2 : 0), 3));
        assertEquals("pipe", failure.task());
        assertEquals("1", failure.item());
        assertContains(
                failure,
                "\"pipe\" copy 0 failed in distribute of item 1",
                "sent item 1 to copy 2, and there are 2: numbers 0 to 1");
        assertContains(
                assertThrows(FlowFailedException.class, () -> run(over(1, (item, loads) -> -1), 1)),
                "to copy -1, and there is 1: number 0");
        assertContains(
                assertThrows(
                        FlowFailedException.class, () -> run(over(2, Distribution.matching((item, copy) -> false)), 1)),
                "sent item 0 to no copy: send it to at least one");
    }

    @Test
    void aDistributionThatThrowsFailsTheRun() {
        FlowFailedException failure = assertThrows(
                FlowFailedException.class,
                () -> run(
                        over(2, (item, loads) -> {
                            throw new UnsupportedOperationException("no way");
                        }),
                        3));
        assertContains(failure, "\"pipe\" copy 0 failed in distribute of item 0", "no way");
        assertTrue(failure.getCause() instanceof UnsupportedOperationException);
    }

    @Test
    void theCheckNamesAProblemOnceForAllCopies() {
        FlowGraph<Integer, Done> inner = FlowGraph.build("inner", g -> {
            g.types(Integer.class, Done.class);
            g.task("lonely", 1, Marking::new).to(g.output());
            g.input().to(g.task("mark", 0, Marking::new)).to(g.output());
            g.memory("unused", 1, () -> new int[1]);
        });
        FlowGraph<String, Done> graph = FlowGraph.build("outer", g -> {
            g.types(String.class, Done.class);
            FlowPipeline<Integer, Done> pipe = g.pipeline("pipe", inner, 3);
            FlowTask<String, Integer> wrong = g.<String, Integer>task("wrong", 1, () -> (item, out) -> out.emit(1))
                    .types(String.class, Integer.class);
            g.input().to(wrong).to(pipe).to(g.output());
        });
        List<String> problems = graph.check().problems();
        assertEquals(
                List.of(
                        "task \"pipe#0/mark\" has 0 copies: at least 1",
                        "task \"pipe#0/lonely\" has no producer: join something to it, or make it a start task",
                        "task \"pipe#0/lonely\" cannot be reached from the input or a start task",
                        "nobody takes from memory edge \"pipe#0/unused\": declare it with takes(...) or takenOutside()",
                        "nobody releases into memory edge \"pipe#0/unused\": declare it with releases(...) or"
                                + " releasedOutside()"),
                problems);
    }

    @Test
    void typesAreCheckedThroughThePipeline() {
        FlowGraph<Integer, Done> inner = marking();
        FlowGraph<Integer, Done> graph = FlowGraph.build("outer", g -> {
            FlowTask<Integer, Object> wrong = g.<Integer, Object>task("wrong", 1, () -> (item, out) -> out.emit("x"))
                    .types(Integer.class, String.class);
            @SuppressWarnings({"unchecked", "rawtypes"})
            FlowSource<Integer> raw = (FlowSource<Integer>) (FlowSource) wrong;
            g.input().to(wrong);
            raw.to(g.pipeline("pipe", inner, 2)).to(g.output());
        });
        assertEquals(
                List.of("\"wrong\" sends java.lang.String, but \"pipe#0/mark\" takes java.lang.Integer"),
                graph.check().problems());
    }

    @Test
    void aPipelineThatLosesItemsOrGetsNoneIsRefused() {
        FlowGraph<Integer, Done> deaf = FlowGraph.build(
                "deaf", g -> g.start("start", 1, () -> (signal, out) -> {}).endsHere());
        FlowGraph<Integer, Done> inner = marking();
        FlowGraph<Integer, Done> graph = FlowGraph.build("outer", g -> {
            g.input().to(g.pipeline("deaf", deaf, 2));
            g.pipeline("idle", inner, 2).to(g.output());
        });
        String problems = String.join("\n", graph.check().problems());
        assertTrue(problems.contains("pipeline \"deaf\" loses what is sent to it"), problems);
        assertTrue(problems.contains("pipeline \"idle\" has no producer: join something to it"), problems);
    }

    // ---- what copies share

    /** Numbers the items that it sees, and notes that no other thread is in it. */
    private static final class Counting implements Rule<Integer, Done> {
        private final AtomicInteger inside = new AtomicInteger();
        private int count;

        @Override
        public void apply(Integer item, int pipeline, Emitter<Done> out) {
            assertEquals(1, inside.incrementAndGet());
            out.emit(new Done(count++, pipeline));
            inside.decrementAndGet();
        }
    }

    private static FlowGraph<Integer, Done> counting(boolean perCopy, int copies) {
        FlowGraph<Integer, Done> inner = FlowGraph.build("inner", g -> {
            Bookkeeper<Integer> keeper = g.bookkeeper("keeper");
            g.input().to(keeper);
            (perCopy ? keeper.rulePerCopy(Counting::new) : keeper.rulePerRun(Counting::new)).to(g.output());
        });
        return FlowGraph.build("outer", g -> {
            FlowGraph<Integer, Done> nested = FlowGraph.build(
                    "nested", n -> n.input().to(n.graph("inside", inner)).to(n.output()));
            g.input().to(g.pipeline("pipe", nested, copies)).to(g.output());
        });
    }

    @Test
    void aRulePerRunIsOneForAllCopiesAndItsStateEndsWithTheRun() {
        FlowGraph<Integer, Done> graph = counting(false, 3);
        for (int round = 0; round < 2; round++) {
            List<Done> results = run(graph, 90);
            assertEquals(
                    FlowTest.numbers(90),
                    results.stream().map(Done::item).sorted().toList(),
                    "one count for all copies");
            for (int copy = 0; copy < 3; copy++) {
                int its = copy;
                assertEquals(
                        30, results.stream().filter(done -> done.copy() == its).count());
            }
        }
        try (ThreadedWorkers workers = new ThreadedWorkers(3);
                FlowRun<Integer, Done> run = graph.start(workers)) {
            run.sendAll(FlowTest.numbers(3_000));
            run.finish();
            List<Integer> counts = new ArrayList<>();
            run.forEach(done -> counts.add(done.item()));
            counts.sort(null);
            assertEquals(FlowTest.numbers(3_000), counts);
        }
    }

    @Test
    void aRulePerCopyCountsForItsCopyAlone() {
        List<Done> results = run(counting(true, 3), 90);
        for (int copy = 0; copy < 3; copy++) {
            int its = copy;
            assertEquals(
                    FlowTest.numbers(30),
                    results.stream()
                            .filter(done -> done.copy() == its)
                            .map(Done::item)
                            .sorted()
                            .toList());
        }
    }

    @Test
    void pipelinesInsideOfPipelinesHaveTheirOwnNumbers() {
        FlowGraph<Integer, Done> inner = marking();
        FlowGraph<Integer, Done> middle = FlowGraph.build(
                "middle", g -> g.input().to(g.pipeline("in", inner, 2)).to(g.output()));
        FlowGraph<Integer, Done> graph = FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("out", middle, 3)).to(g.output()));
        assertTrue(graph.check().isFine(), () -> graph.check().toString());
        try (FlowRun<Integer, Done> run = graph.start(new SeededWorkers(1))) {
            run.sendAll(FlowTest.numbers(12));
            run.finish();
            List<Done> results = new ArrayList<>();
            run.forEach(results::add);
            results.sort(Comparator.comparingInt(Done::item));
            assertEquals(
                    List.of(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1),
                    results.stream().map(Done::copy).toList());
            List<String> names = run.report().tasks().stream()
                    .map(FlowReport.TaskCount::task)
                    .toList();
            assertTrue(names.containsAll(List.of("out", "out#2/in", "out#2/in#1/mark")), names::toString);
            RandomFlow.checkNothingIsLost(run);
        }
    }

    @Test
    void aGraphOfStartTasksNeedsNoInput() {
        FlowGraph<Integer, Done> inner = FlowGraph.build(
                "inner",
                g -> g.<Done>start("start", 2, () -> new Body<>() {
                            private int copy;

                            @Override
                            public void initialize(CopyInfo its) {
                                copy = 10 * its.pipeline() + its.index();
                            }

                            @Override
                            public void execute(Start signal, Emitter<Done> out) {
                                out.emit(new Done(0, copy));
                            }
                        })
                        .to(g.output()));
        FlowGraph<Integer, Done> graph =
                FlowGraph.build("outer", g -> g.pipeline("pipe", inner, 2).to(g.output()));
        assertTrue(graph.check().isFine(), () -> graph.check().toString());
        assertEquals(
                List.of(0, 1, 10, 11),
                run(graph, 0).stream().map(Done::copy).sorted().toList());
    }

    // ---- ends

    @Test
    void aFailureInOneCopyEndsTheRunAndLosesNothing() {
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            FlowTask<Integer, Integer> task = g.task("fail", 1, () -> (item, out) -> {
                if (item == 17) {
                    throw new IllegalStateException("seventeen");
                }
                out.emit(item);
            });
            g.input().to(task).to(g.output());
        });
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("pipe", inner, 4)).to(g.output()));
        FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(3));
        FlowFailedException failure = assertThrows(FlowFailedException.class, () -> {
            try (run) {
                run.sendAll(FlowTest.numbers(40));
                run.finish();
                run.await();
            }
        });
        assertEquals("pipe#1/fail", failure.task());
        assertEquals("17", failure.item());
        assertEquals(FlowReport.Outcome.FAILED, run.report().outcome());
        RandomFlow.checkNothingIsLost(run);
    }

    @Test
    void aCancelEndsAllCopies() {
        FlowGraph<Integer, Done> graph = over(4, Distribution.roundRobin());
        FlowRun<Integer, Done> run = graph.start(new SeededWorkers(3));
        run.sendAll(FlowTest.numbers(40));
        run.cancel();
        assertThrows(CancellationException.class, run::await);
        run.close();
        RandomFlow.checkNothingIsLost(run);
    }

    @Test
    void anInputBoundHoldsForTheFirstTasksOfTheCopies() {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch held = new CountDownLatch(1);
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            FlowTask<Integer, Integer> task = g.task("slow", 1, () -> (item, out) -> {
                begun.incrementAndGet();
                held.await();
                out.emit(item);
            });
            g.input().to(task.dedicated().oneByOne()).to(g.output());
        });
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("pipe", inner, 2)).to(g.output()));
        AtomicInteger sent = new AtomicInteger();
        try (ThreadedWorkers workers = new ThreadedWorkers(2);
                FlowRun<Integer, Integer> run =
                        graph.start(workers, FlowRun.Options.defaults().withInputBound(4))) {
            Thread sender = Thread.ofPlatform().start(() -> {
                for (int item = 0; item < 100; item++) {
                    run.send(item);
                    sent.incrementAndGet();
                }
                run.finish();
            });
            Watchdog.until(
                    () -> begun.get() == 2
                            && (sender.getState() == Thread.State.WAITING
                                    || sender.getState() == Thread.State.TIMED_WAITING),
                    "the sender, which waits for room");
            // Two items are in bodies, and four wait; while items are being distributed, others may take their place.
            assertTrue(sent.get() <= 2 + 4 + 4 + 1, () -> "sent: " + sent);
            held.countDown();
            int results = 0;
            for (int _ : run) {
                results++;
            }
            assertEquals(100, results);
        }
    }

    private static <E extends Exception> void assertThrowsWith(Class<E> type, Runnable action, String part) {
        assertContains(assertThrows(type, action::run), part);
    }

    private static void assertContains(Throwable problem, String... parts) {
        for (String part : parts) {
            assertTrue(String.valueOf(problem).contains(part), problem::toString);
        }
    }
}
