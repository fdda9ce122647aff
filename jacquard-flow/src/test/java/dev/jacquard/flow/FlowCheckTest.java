package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.flow.testing.SeededWorkers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every mistake that can be seen before the run is named before the run. */
class FlowCheckTest {
    private static final class ToText implements Body<Integer, String> {
        @Override
        public void execute(Integer item, Emitter<String> out) {
            out.emit("" + item);
        }
    }

    /** Binds the type arguments two classes away from the interface. */
    private abstract static class Mapping<X, Y> implements Body<List<X>, Y> {}

    private static final class Lists extends Mapping<Integer, Double> {
        @Override
        public void execute(List<Integer> item, Emitter<Double> out) {}
    }

    private static final class Doubles implements Rule<Double, Double> {
        @Override
        public void apply(Double item, int pipeline, Emitter<Double> out) {
            out.emit(item);
        }
    }

    private static void finds(String problem, Consumer<FlowBuilder<Integer, Integer>> description) {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("bad", description);
        FlowGraph.Check check = graph.check();
        assertTrue(check.problems().contains(problem), () -> "expected: " + problem + "\nfound: " + check);
        assertThrows(IllegalStateException.class, check::orThrow);
        assertThrows(IllegalStateException.class, () -> graph.start(new SeededWorkers(1)));
    }

    private static Body<Integer, Integer> same() {
        return (item, out) -> out.emit(item);
    }

    @Test
    void aTaskWithoutAProducer() {
        finds("task \"lost\" has no producer: join something to it, or make it a start task", g -> {
            g.input().to(g.task("a", 1, FlowCheckTest::same)).to(g.output());
            g.task("lost", 1, FlowCheckTest::same);
        });
    }

    @Test
    void anOutputThatNothingReaches() {
        finds("the output cannot be reached from the input or a start task: join a task on their way to it", g -> {
            g.input().to(g.task("a", 1, FlowCheckTest::same));
            g.output();
        });
    }

    @Test
    void aCycleWithoutATerminationCondition() {
        finds(
                "the cycle a -> b -> a has no termination condition: give one of its tasks terminatedWhen(...) or "
                        + "endsCycle()",
                g -> {
                    FlowTask<Integer, Integer> a = g.task("a", 1, FlowCheckTest::same);
                    FlowTask<Integer, Integer> b = g.task("b", 1, FlowCheckTest::same);
                    g.input().to(a).to(b).to(a);
                    b.to(g.output());
                });
    }

    @Test
    void aCycleThatAConditionDoesNotCut() {
        finds(
                "the cycle b -> b has no termination condition: give one of its tasks terminatedWhen(...) or endsCycle()",
                g -> {
                    FlowTask<Integer, Integer> a = g.task("a", 1, FlowCheckTest::same);
                    FlowTask<Integer, Integer> b = g.task("b", 1, FlowCheckTest::same);
                    a.terminatedWhen(Termination.whenDrained());
                    g.input().to(a).to(b).to(a);
                    b.to(b).to(g.output());
                });
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // as users do who cast
    void typesThatDoNotFit() {
        finds("\"text\" sends java.lang.String, but \"lists\" takes java.util.List", g -> {
            FlowTask<Integer, String> text = g.task("text", 1, ToText::new);
            FlowTask<List<Integer>, Double> lists = g.task("lists", 1, Lists::new);
            g.input().to(text).to((Sink) lists);
        });
        finds("\"text\" sends java.lang.String, but a rule of \"keeper\" takes java.lang.Double", g -> {
            Bookkeeper<Double> keeper = g.bookkeeper("keeper");
            keeper.rule(new Doubles());
            g.input().to(g.task("text", 1, ToText::new)).to((Sink) keeper);
        });
        finds("\"lists\" sends java.lang.Double, but the graph's output takes java.lang.Integer", g -> {
            g.types(List.class, Integer.class);
            FlowTask<List<Integer>, Double> lists = g.task("lists", 1, Lists::new);
            ((FlowSource) g.input()).to(lists);
            lists.to((Sink) g.output());
        });
        finds("the graph's input sends java.lang.String, but \"lambda\" takes java.lang.Integer", g -> {
            g.types(String.class, Integer.class);
            g.input()
                    .to(g.task("lambda", 1, FlowCheckTest::same).types(Integer.class, Integer.class))
                    .to(g.output());
        });
    }

    @Test
    void primitiveTypesStandForTheirObjects() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("boxed", g -> {
            g.types(int.class, int.class);
            FlowTask<Integer, Integer> stated = g.task("stated", 1, FlowCheckTest::same);
            g.input().to(stated.types(Integer.class, int.class)).to(g.output());
        });
        assertEquals(List.of(), graph.check().problems());
        finds("the graph's input sends java.lang.Long, but \"lambda\" takes java.lang.Integer", g -> {
            g.types(long.class, Integer.class);
            g.input()
                    .to(g.task("lambda", 1, FlowCheckTest::same).types(int.class, Integer.class))
                    .to(g.output());
        });
    }

    @Test
    void namesAndCopies() {
        finds(
                "two parts are named \"a\": give each a name of its own",
                g -> g.input()
                        .to(g.task("a", 1, FlowCheckTest::same))
                        .to(g.task("a", 1, FlowCheckTest::same))
                        .to(g.output()));
        finds(
                "task \"a\" has 0 copies: at least 1",
                g -> g.input().to(g.task("a", 0, FlowCheckTest::same)).to(g.output()));
        finds(
                "bookkeeper \"keeper\" has no rule: add one with rule(...)",
                g -> g.input().to(g.bookkeeper("keeper")));
        finds("task \"a\" is joined to \"output\" twice: remove one edge", g -> {
            FlowTask<Integer, Integer> a = g.input().to(g.task("a", 1, FlowCheckTest::same));
            a.to(g.output());
            a.to(g.output());
        });
    }

    @Test
    void memoryEdgesThatCannotWork() {
        finds("memory edge \"m\" has 0 buffers: at least 1", g -> memory(g, 0).releasedOutside());
        finds(
                "memory edge \"m\" has 2 buffers, and works with no less than 3 (a tile and its neighbours)",
                g -> memory(g, 2).atLeast(3, "a tile and its neighbours"));
        finds(
                "nobody releases into memory edge \"m\": declare it with releases(...) or releasedOutside()",
                g -> memory(g, 2));
        finds("nobody takes from memory edge \"m\": declare it with takes(...) or takenOutside()", g -> {
            g.memory("m", 1, () -> "").releasedOutside();
            g.input().to(g.task("a", 1, FlowCheckTest::same)).to(g.output());
        });
        finds("task \"a\" takes 3 buffers of memory edge \"m\" per item, which has 2: make it at least 3", g -> {
            MemoryEdge<String> m = g.memory("m", 2, () -> "").releasedOutside();
            g.input().to(g.task("a", 1, FlowCheckTest::same).takes(m, 3)).to(g.output());
        });
        FlowGraph.build("other", other -> {
            MemoryEdge<String> m = other.memory("m", 2, () -> "");
            finds(
                    "task \"a\" uses memory edge \"m\", which another graph made: use one of its own graph; a body may release into an edge that is"
                            + " releasedOutside() without a declaration",
                    g -> g.input()
                            .to(g.task("a", 1, FlowCheckTest::same).takes(m))
                            .to(g.output()));
        });
    }

    private static MemoryEdge<String> memory(FlowBuilder<Integer, Integer> g, int size) {
        MemoryEdge<String> m = g.memory("m", size, () -> "");
        g.input().to(g.task("a", 1, FlowCheckTest::same).takes(m)).to(g.output());
        return m;
    }

    @Test
    void aBodyThatCannotBeMade() {
        finds(
                "making the body of \"a\" failed: java.lang.ArithmeticException: no",
                g -> g.input()
                        .to(g.<Integer, Integer>task("a", 1, () -> {
                            throw new ArithmeticException("no");
                        }))
                        .to(g.output()));
    }

    @Test
    void aStartTaskWithAProducer() {
        finds("start task \"s\" has a producer: make it an ordinary task", g -> {
            FlowTask<Start, Integer> s = g.start("s", 1, () -> (signal, out) -> out.emit(1));
            g.input()
                    .to(g.task("a", 1, () -> (Integer n, Emitter<Start> out) -> {}))
                    .to(s)
                    .to(g.output());
        });
    }

    private static FlowGraph<Integer, Integer> deaf() {
        return FlowGraph.build(
                "deaf",
                g -> g.<Integer>start("s", 1, () -> (signal, out) -> out.emit(1))
                        .to(g.output()));
    }

    @Test
    void aGraphInsideThatLosesItsItems() {
        String lost = "\" loses what is sent to it: join its input to a task, or remove the edges that lead to it";
        finds("graph \"part" + lost, g -> {
            FlowTask<Integer, Integer> a = g.task("a", 1, FlowCheckTest::same);
            g.input().to(a).to(g.graph("part", deaf())).to(g.output());
            a.to(g.output());
        });
        FlowGraph<Integer, Integer> half = FlowGraph.build("half", g -> {
            g.input().to(g.task("a", 1, FlowCheckTest::same)).to(g.output());
            g.input().to(g.graph("part", deaf())).to(g.output());
        });
        finds(
                "graph \"outer/part" + lost,
                g -> g.input().to(g.graph("outer", half)).to(g.output()));
        FlowGraph<Integer, Integer> through =
                FlowGraph.build("through", g -> g.input().to(g.output()));
        finds(
                "graph \"through" + lost,
                g -> g.input().to(g.task("a", 1, FlowCheckTest::same)).to(g.graph("through", through)));
        FlowGraph<Integer, Integer> unjoined = FlowGraph.build("unjoined", g -> {
            g.input().to(g.task("a", 1, FlowCheckTest::same)).to(g.output());
            g.graph("part", deaf()).to(g.output());
            var first = g.graph("first", through);
            var second = g.graph("second", through);
            g.input().to(first).to(second).to(first);
            first.to(g.output());
        });
        assertEquals(List.of(), unjoined.check().problems());
    }

    @Test
    void aGraphInsideAGraphIsCheckedUnderItsPath() {
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            FlowTask<Integer, Integer> a = g.task("a", 1, FlowCheckTest::same);
            g.input().to(a).to(a).to(g.output());
        });
        finds(
                "the cycle part/a -> part/a has no termination condition: give one of its tasks terminatedWhen(...) or "
                        + "endsCycle()",
                g -> g.input().to(g.graph("part", inner)).to(g.output()));
    }

    @Test
    void aBuiltGraphCannotChangeAndGraphsCannotBeJoinedByTheirTasks() {
        List<FlowBuilder<Integer, Integer>> builder = new ArrayList<>();
        FlowGraph<Integer, Integer> done = FlowGraph.build("done", g -> {
            builder.add(g);
            FlowTask<Integer, Integer> a = g.task("a", 1, FlowCheckTest::same);
            g.input().to(a).to(g.output());
            FlowGraph.<Integer, Integer>build(
                    "other",
                    other -> assertThrows(
                            IllegalArgumentException.class, () -> other.input().to(a)));
        });
        assertThrows(IllegalStateException.class, () -> builder.getFirst().task("b", 1, FlowCheckTest::same));
        assertEquals("flow \"done\": no problem found", done.check().toString());
    }

    /** Tasks with threads of their own may take buffers that they did not declare. */
    @Test
    void aRunWithDedicatedThreadsIsCheckedAsItsTasksRun() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("taken", g -> {
            MemoryEdge<String> m = g.memory("m", 1, () -> "");
            FlowTask<Integer, Integer> task = g.task("a", 1, () -> (n, out) -> {
                out.release(out.take(m));
                out.emit(n);
            });
            g.input().to(task.releases(m)).to(g.output());
        });
        assertEquals(
                List.of("nobody takes from memory edge \"m\": declare it with takes(...) or takenOutside()"),
                graph.check().problems());
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run =
                        graph.start(session, FlowRun.Options.defaults().withDedicatedThreads())) {
            run.send(7);
            run.finish();
            assertEquals(7, run.iterator().next());
        }
    }
}
