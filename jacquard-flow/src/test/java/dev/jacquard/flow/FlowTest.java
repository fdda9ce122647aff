package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class FlowTest {
    static Body<Integer, Integer> plus(int n) {
        return (item, out) -> out.emit(item + n);
    }

    static <I, O> List<O> run(FlowGraph<I, O> graph, Workers workers, List<I> items) {
        List<O> results = new ArrayList<>();
        try (FlowRun<I, O> run = graph.start(workers)) {
            items.forEach(run::send);
            run.finish();
            for (O result : run) {
                results.add(result);
            }
            assertEquals(FlowReport.Outcome.DONE, run.report().outcome());
            assertEquals(0, run.report().cancelled());
            assertEquals(results.size(), run.report().delivered());
        }
        return results;
    }

    static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    static FlowGraph<Integer, Integer> chain(int length) {
        return FlowGraph.build("chain", g -> {
            FlowSource<Integer> last = g.input();
            for (int i = 0; i < length; i++) {
                last = last.to(g.task("t" + i, 1, () -> plus(1)));
            }
            last.to(g.output());
        });
    }

    @Test
    void aChainOfSingleCopiesKeepsTheOrder() {
        List<Integer> expected = numbers(1000).stream().map(n -> n + 3).toList();
        for (long seed = 0; seed < 50; seed++) {
            assertEquals(expected, run(chain(3), new SeededWorkers(seed), numbers(1000)), "seed " + seed);
            SeededWorkers workers = new SeededWorkers(~seed);
            List<Integer> results = new ArrayList<>();
            try (FlowRun<Integer, Integer> run = chain(3).start(workers)) {
                RandomFlowTest.feed(run, workers, seed, numbers(1000));
                run.finish();
                run.forEach(results::add);
            }
            assertEquals(expected, results, "fed in parts, seed " + seed);
        }
        try (ThreadedWorkers workers = new ThreadedWorkers(2)) {
            for (int i = 0; i < 50; i++) {
                assertEquals(expected, run(chain(3), workers, numbers(1000)));
            }
        }
    }

    @Test
    void everyConsumerGetsEveryItemAndAConsumerMayHaveSeveralProducers() {
        FlowGraph<Integer, Integer> diamond = FlowGraph.build("diamond", g -> {
            FlowTask<Integer, Integer> left = g.task("left", 2, () -> plus(1));
            FlowTask<Integer, Integer> right = g.task("right", 3, () -> plus(1000));
            FlowTask<Integer, Integer> join = g.task("join", 2, () -> plus(0));
            g.input().to(left).to(join);
            g.input().to(right).to(join).to(g.output());
            right.to(g.output());
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(2)) {
            List<Integer> results = new ArrayList<>(run(diamond, workers, numbers(100)));
            results.sort(null);
            List<Integer> expected = new ArrayList<>();
            numbers(100).forEach(n -> expected.addAll(List.of(n + 1, n + 1000, n + 1000)));
            expected.sort(null);
            assertEquals(expected, results);
        }
    }

    @Test
    void phasesComeInOrderAndOncePerCopy() {
        List<String> phases = new ArrayList<>();
        final class Recorder implements Body<Integer, String> {
            private int copy = -1;

            @Override
            public void initialize(CopyInfo info) {
                copy = info.index();
                phases.add("initialize " + copy + " of " + info.copies());
            }

            @Override
            public void execute(Integer item, Emitter<String> out) {
                out.emit("item");
            }

            @Override
            public void shutdown(Emitter<String> out) {
                phases.add("shutdown " + copy);
                out.emit("last of " + copy);
            }
        }
        FlowGraph<Integer, String> graph = FlowGraph.build(
                "phases",
                g -> g.input().to(g.task("recorder", 2, Recorder::new)).to(g.output()));
        List<String> results = run(graph, new SeededWorkers(1), numbers(3));
        results.sort(null);
        assertEquals(List.of("item", "item", "item", "last of 0", "last of 1"), results);
        phases.sort(null);
        assertEquals(List.of("initialize 0 of 2", "initialize 1 of 2", "shutdown 0", "shutdown 1"), phases);
    }

    @Test
    void aStartTaskNeedsNoProducerAndEmitsUntilItIsDone() {
        final class Count implements Body<Start, Integer> {
            private int next;

            @Override
            public void execute(Start signal, Emitter<Integer> out) {
                out.emit(next++);
            }

            @Override
            public boolean canTerminate(boolean inputClosed) {
                return next == 5;
            }
        }
        FlowGraph<Void, Integer> graph = FlowGraph.build("start", g -> {
            FlowTask<Integer, Integer> same = g.task("same", 1, () -> plus(0));
            g.start("count", 2, Count::new).to(same).to(g.output());
        });
        List<Integer> results = run(graph, new SeededWorkers(3), List.of());
        results.sort(null);
        assertEquals(List.of(0, 0, 1, 1, 2, 2, 3, 3, 4, 4), results);
    }

    /** n goes round until it is 0; each visit is emitted. */
    static FlowGraph<Integer, Integer> countdown() {
        return FlowGraph.build("countdown", g -> {
            FlowTask<Integer, Integer> visit = g.task("visit", 2, () -> plus(0));
            FlowTask<Integer, Integer> less = g.task("less", 2, () -> (n, out) -> {
                if (n > 0) {
                    out.emit(n - 1);
                }
            });
            visit.terminatedWhen(Termination.whenDrained());
            g.input().to(visit).to(less).to(visit);
            visit.to(g.output());
        });
    }

    @Test
    void aCycleEndsWhenNothingIsUnderWayInIt() {
        for (long seed = 0; seed < 200; seed++) {
            assertEquals(
                    1 + 2 + 3 + 4 + 5,
                    run(countdown(), new SeededWorkers(seed), numbers(5)).size(),
                    "seed " + seed);
        }
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (int i = 0; i < 200; i++) {
                assertEquals(15, run(countdown(), workers, numbers(5)).size());
            }
        }
    }

    @Test
    void theLeastItemComesFirst() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "priority",
                g -> g.input()
                        .to(g.task("sort", 1, () -> plus(0)).priority(Comparator.<Integer>naturalOrder()))
                        .to(g.output()));
        assertEquals(numbers(100), run(graph, new SeededWorkers(1), numbers(100).reversed()));
    }

    @Test
    void aGraphInsideAGraphIsATask() {
        FlowGraph<Integer, Integer> outer = FlowGraph.build("outer", g -> {
            FlowGraph.Nested<Integer, Integer> once = g.graph("once", chain(2));
            FlowGraph.Nested<Integer, Integer> twice = g.graph("twice", chain(2));
            g.input()
                    .to(once)
                    .to(g.task("between", 1, () -> plus(10)))
                    .to(twice)
                    .to(g.output());
        });
        assertEquals(List.of(14, 15), run(outer, new SeededWorkers(1), numbers(2)));
        assertTrue(outer.check().isFine());
    }

    @Test
    void sendingAfterTheEndIsAnError() {
        try (FlowRun<Integer, Integer> run = chain(1).start(new SeededWorkers(1))) {
            run.finish();
            run.finish();
            assertThrows(IllegalStateException.class, () -> run.send(1));
        }
    }

    @Test
    void aBoundedInputMakesTheSenderWait() {
        SeededWorkers workers = new SeededWorkers(5);
        try (FlowRun<Integer, Integer> run =
                chain(2).start(workers, FlowRun.Options.defaults().withInputBound(4))) {
            for (int i = 0; i < 100; i++) {
                run.send(i);
                assertTrue(run.profile().tasks().getFirst().queued() <= 4);
            }
            run.finish();
            int count = 0;
            for (Integer result : run) {
                assertEquals(count++ + 2, result);
            }
            assertEquals(100, count);
        }
    }
}
