package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of a graph in a pipeline that send items to each other by number. */
@Timeout(120)
class SiblingsTest {
    private static final int SEEDS = 200;

    // ---- balance: items wander until a copy takes them

    /** An item with the number of copies that it still has to pass. */
    record Wanderer(int item, int left) {}

    /** Sends an item to the next copy as long as it has some to pass. */
    private static final class Passing implements Body<Wanderer, Wanderer> {
        private final SiblingEdge<Wanderer> next;
        private int copy;

        Passing(SiblingEdge<Wanderer> next) {
            this.next = next;
        }

        @Override
        public void initialize(CopyInfo its) {
            copy = its.pipeline();
        }

        @Override
        public void execute(Wanderer item, Emitter<Wanderer> out) {
            if (item.left() == 0) {
                out.emit(item);
            } else {
                out.send(next, (copy + 1) % out.copies(next), new Wanderer(item.item(), item.left() - 1));
            }
        }
    }

    private static FlowGraph<Wanderer, Wanderer> wandering() {
        return FlowGraph.build("wandering", g -> {
            SiblingEdge<Wanderer> next = g.siblings("next");
            FlowTask<Wanderer, Wanderer> pass =
                    g.task("pass", 2, () -> new Passing(next)).sends(next).terminatedWhen(Termination.whenDrained());
            next.to(pass);
            g.input().to(pass).to(g.output());
        });
    }

    private static void wander(FlowGraph<Wanderer, Wanderer> graph, Workers workers) {
        List<Integer> results = new ArrayList<>();
        try (FlowRun<Wanderer, Wanderer> run = graph.start(workers)) {
            for (int item = 0; item < 60; item++) {
                run.send(new Wanderer(item, item % 7));
            }
            run.finish();
            run.forEach(item -> results.add(item.item()));
            RandomFlow.checkNothingIsLost(run);
        }
        results.sort(null);
        assertEquals(FlowTest.numbers(60), results);
    }

    @Test
    void aCycleThroughSeveralCopiesEndsWhenItIsDrained() {
        FlowGraph<Wanderer, Wanderer> inner = wandering();
        FlowGraph<Wanderer, Wanderer> graph = FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("pipe", inner, 3)).to(g.output()));
        for (int seed = 0; seed < SEEDS; seed++) {
            wander(graph, new SeededWorkers(seed));
        }
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (int round = 0; round < SEEDS; round++) {
                wander(graph, workers);
            }
        }
    }

    @Test
    void aGraphInNoPipelineIsItsOwnOnlySibling() {
        wander(wandering(), new SeededWorkers(1));
        FlowGraph<Wanderer, Wanderer> inner = wandering();
        wander(
                FlowGraph.build(
                        "outer", g -> g.input().to(g.graph("inside", inner)).to(g.output())),
                new SeededWorkers(1));
    }

    @Test
    void siblingsOfANestedGraphAreThoseOfThePipelineAroundIt() {
        FlowGraph<Wanderer, Wanderer> inner = wandering();
        FlowGraph<Wanderer, Wanderer> middle = FlowGraph.build(
                "middle", g -> g.input().to(g.graph("inside", inner)).to(g.output()));
        FlowGraph<Wanderer, Wanderer> graph = FlowGraph.build(
                "outer",
                g -> g.input()
                        .to(g.pipeline("pipe", middle, 3).distribute((item, loads) -> 0))
                        .to(g.output()));
        try (FlowRun<Wanderer, Wanderer> run = graph.start(new SeededWorkers(1))) {
            run.send(new Wanderer(0, 2));
            run.finish();
            run.await();
            Map<String, Long> executed = new TreeMap<>();
            run.report().tasks().forEach(task -> executed.put(task.task(), task.executed()));
            assertEquals(
                    Map.of("pipe", 1L, "pipe#0/inside/pass", 1L, "pipe#1/inside/pass", 1L, "pipe#2/inside/pass", 1L),
                    executed);
        }
    }

    // ---- without a cycle, and from rules

    @Test
    void anEdgeWithoutACycleClosesAfterTheLastCopy() {
        FlowGraph<Integer, String> inner = FlowGraph.build("inner", g -> {
            SiblingEdge<Integer> across = g.siblings("across");
            Bookkeeper<Integer> send = g.<Integer>bookkeeper("send").sends(across);
            send.<String>rulePerRun(() -> new Crossing(across)).to(g.output());
            Supplier<Body<Integer, String>> receiving = () -> new Body<>() {
                private int copy;

                @Override
                public void initialize(CopyInfo its) {
                    copy = its.pipeline();
                }

                @Override
                public void execute(Integer item, Emitter<String> out) {
                    out.emit(item + "@" + copy);
                }
            };
            FlowTask<Integer, String> receive = g.task("receive", 1, receiving);
            g.input().to(send);
            across.to(receive).to(g.output());
        });
        FlowGraph<Integer, String> graph = FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("pipe", inner, 2)).to(g.output()));
        assertTrue(graph.check().isFine(), () -> graph.check().toString());
        List<String> results = new ArrayList<>();
        try (FlowRun<Integer, String> run = graph.start(new SeededWorkers(5))) {
            run.sendAll(FlowTest.numbers(4));
            run.finish();
            run.forEach(results::add);
        }
        results.sort(null);
        assertEquals(List.of("0@1", "1@0", "2@1", "3@0", "from 0", "from 0", "from 1", "from 1"), results);
    }

    /** Sends an item to the other one of two copies, and says from where. */
    private record Crossing(SiblingEdge<Integer> across) implements Rule<Integer, String> {
        @Override
        public void apply(Integer item, int pipeline, Emitter<String> out) {
            out.send(across, 1 - pipeline, item);
            out.emit("from " + pipeline);
        }
    }

    @Test
    void anItemThatIsDroppedSendsNothingToSiblings() {
        List<Integer> dropped = new ArrayList<>();
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            SiblingEdge<Integer> across = g.siblings("across");
            FlowTask<Integer, Integer> send = g.<Integer, Integer>task("send", 1, () -> (item, out) -> {
                        out.send(across, 1, item);
                        if (item % 2 == 1) {
                            throw new IllegalStateException("odd");
                        }
                        out.emit(-item);
                    })
                    .onError((item, problem, out) -> dropped.add(item))
                    .sends(across);
            FlowTask<Integer, Integer> receive = g.task("receive", 1, () -> (item, out) -> out.emit(item));
            g.input().to(send).to(g.output());
            across.to(receive).to(g.output());
        });
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "outer",
                g -> g.input()
                        .to(g.pipeline("pipe", inner, 2).distribute((item, loads) -> 0))
                        .to(g.output()));
        List<Integer> results = new ArrayList<>();
        try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
            run.sendAll(FlowTest.numbers(5));
            run.finish();
            run.forEach(results::add);
            RandomFlow.checkNothingIsLost(run);
        }
        results.sort(null);
        assertEquals(List.of(-4, -2, 0, 0, 2, 4), results);
        assertEquals(List.of(1, 3), dropped);
    }

    // ---- bad input

    private static FlowGraph<Integer, Integer> sending(boolean declares, int to) {
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            SiblingEdge<Integer> edge = g.siblings("edge");
            FlowTask<Integer, Integer> other = g.<Integer, Integer>task("other", 1, () -> (item, out) -> {})
                    .sends(edge);
            FlowTask<Integer, Integer> send = g.task("send", 1, () -> (item, out) -> out.send(edge, to, item));
            FlowTask<Integer, Integer> end = g.task("end", 1, () -> (item, out) -> out.emit(item));
            g.input().to(other).to(send).to(g.output());
            g.input().to(declares ? send.sends(edge) : send);
            edge.to(end).to(g.output());
        });
        return FlowGraph.build(
                "outer",
                g -> g.input()
                        .to(g.pipeline("pipe", inner, 2).distribute(Distribution.roundRobin()))
                        .to(g.output()));
    }

    private static FlowFailedException failure(FlowGraph<Integer, Integer> graph) {
        return assertThrows(FlowFailedException.class, () -> {
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
                run.send(1);
                run.finish();
                run.await();
            }
        });
    }

    @Test
    void aCopyThatDoesNotExistIsNamed() {
        assertContains(
                failure(sending(true, 2)),
                "task \"pipe#0/send\" sent an item to copy 2 of its graph, which has 2: numbers 0 to 1");
        assertContains(failure(sending(true, -1)), "to copy -1");
    }

    @Test
    void anEdgeThatWasNotDeclaredIsNamed() {
        assertContains(
                failure(sending(false, 0)),
                "task \"pipe#0/send\" sent along \"edge\", which it did not declare: declare it with sends(edge)");
    }

    @Test
    void theCheckNamesEdgesThatAreNotUsedOrLeadNowhere() {
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            SiblingEdge<Integer> nowhere = g.siblings("nowhere");
            SiblingEdge<Integer> unused = g.siblings("unused");
            FlowTask<Integer, Integer> task = g.<Integer, Integer>task("task", 1, () -> (item, out) -> out.emit(item))
                    .sends(nowhere);
            g.input().to(task).to(g.output());
            unused.to(task);
        });
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("pipe", inner, 2)).to(g.output()));
        assertEquals(
                List.of(
                        "edge \"pipe#0/nowhere\" between siblings leads nowhere: join it with to(...), or declare"
                                + " endsHere()",
                        "nobody sends along edge \"pipe#0/unused\" between siblings: declare it with sends(...), or"
                                + " remove the edge"),
                graph.check().problems());
    }

    @Test
    void aCycleThroughSiblingsNeedsATermination() {
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            SiblingEdge<Integer> edge = g.siblings("edge");
            FlowTask<Integer, Integer> task = g.<Integer, Integer>task("task", 1, () -> (item, out) -> out.emit(item))
                    .sends(edge);
            edge.to(task);
            g.input().to(task).to(g.output());
        });
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "outer", g -> g.input().to(g.pipeline("pipe", inner, 3)).to(g.output()));
        assertEquals(1, graph.check().problems().size(), () -> graph.check().toString());
        assertTrue(graph.check().problems().getFirst().contains("has no termination condition"));
    }

    @Test
    void anEdgeOfAnotherGraphIsRefused() {
        SiblingEdge<?>[] taken = {null};
        FlowGraph.<Integer, Integer>build("one", g -> taken[0] = g.siblings("edge"));
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> FlowGraph.<Integer, Integer>build(
                        "two", g -> g.task("task", 1, () -> (item, out) -> {}).sends(taken[0])));
        assertContains(refused, "\"task\" of graph \"two\" sends to siblings along \"edge\", an edge of graph \"one\"");
    }

    private static void assertContains(Throwable problem, String part) {
        assertTrue(String.valueOf(problem).contains(part), problem::toString);
    }
}
