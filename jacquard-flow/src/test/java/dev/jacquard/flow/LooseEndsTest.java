package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** No item is lost where no edge leads on, unless the graph says so. */
class LooseEndsTest {
    private static final FlowGraph<Integer, Integer> ONES = FlowGraph.build(
            "ones",
            g -> g.<Integer>start("s", 1, () -> (signal, out) -> out.emit(1)).to(g.output()));

    private static final class ToText implements Body<Integer, String> {
        @Override
        public void execute(Integer item, Emitter<String> out) {
            out.emit("" + item);
        }
    }

    private static final class Halves implements Rule<Integer, Double> {
        @Override
        public void apply(Integer item, int pipeline, Emitter<Double> out) {
            out.emit(item / 2.0);
        }
    }

    private static final class Adding implements Body<Integer, Void> {
        private final AtomicInteger sum;

        Adding(AtomicInteger sum) {
            this.sum = sum;
        }

        @Override
        public void execute(Integer item, Emitter<Void> out) {
            sum.addAndGet(item);
        }
    }

    private static Body<Integer, Integer> same() {
        return (item, out) -> out.emit(item);
    }

    private static void finds(String problem, Consumer<FlowBuilder<Integer, Integer>> description) {
        assertEquals(
                List.of(problem), FlowGraph.build("bad", description).check().problems());
    }

    // ---- what the check finds

    @Test
    void aGraphFromWhichNoEdgeLeadsOut() {
        String none = "no edge leads to the output of ";
        String join = ": join it with to(g.output()), or declare endsHere() if it sends nothing";
        finds(
                none + "the graph, and none from task \"b\"" + join,
                g -> g.input().to(g.task("a", 1, LooseEndsTest::same)).to(g.task("b", 1, LooseEndsTest::same)));
        finds(none + "the graph, and none from rule 2 of 2 of bookkeeper \"keeper\"" + join, g -> {
            Bookkeeper<Integer> keeper = g.input().to(g.bookkeeper("keeper"));
            keeper.rule((n, pipeline, out) -> out.emit(n)).endsHere();
            keeper.rule((n, pipeline, out) -> out.emit(n));
        });
        finds(none + "the graph, and none from graph \"part\"" + join, g -> g.graph("part", ONES));
        FlowGraph<Integer, Integer> inner =
                FlowGraph.build("inner", g -> g.input().to(g.task("a", 1, LooseEndsTest::same)));
        finds(none + "graph \"part\", and none from task \"part/a\"" + join, g -> {
            g.input().to(g.graph("part", inner));
            g.input().to(g.output());
        });
    }

    @Test
    void anOutputThatIsKnownToSendItems() {
        String loose = ", and no edge leads from it: join it with to(...), or declare endsHere()";
        finds("task \"text\" sends java.lang.String" + loose, g -> {
            g.input().to(g.task("text", 1, ToText::new));
            g.input().to(g.output());
        });
        finds("task \"lambda\" sends java.lang.Integer" + loose, g -> {
            g.input().to(g.task("lambda", 1, LooseEndsTest::same).types(int.class, int.class));
            g.input().to(g.output());
        });
        finds("rule 1 of 1 of bookkeeper \"keeper\" sends java.lang.Double" + loose, g -> {
            g.input().to(g.<Integer>bookkeeper("keeper")).rule(new Halves());
            g.input().to(g.output());
        });
        finds("graph \"part\" sends java.lang.Object" + loose, g -> {
            g.graph("part", ONES);
            g.input().to(g.output());
        });
    }

    @Test
    void anInputThatNothingTakes() {
        finds(
                "graph \"bad\" takes java.lang.Integer, and no edge leads from its input: join it with"
                        + " g.input().to(...), or declare g.input().endsHere()",
                g -> {
                    g.types(Integer.class, Integer.class);
                    g.<Integer>start("s", 1, () -> (signal, out) -> out.emit(1)).to(g.output());
                });
    }

    @Test
    void anEdgeThatContradictsAnEnd() {
        String both = " has an edge, and endsHere(): leave one of the two out";
        finds("task \"a\"" + both, g -> {
            FlowTask<Integer, Integer> a = g.task("a", 1, LooseEndsTest::same);
            g.input().to(a.endsHere()).to(g.output());
        });
        finds("the input of graph \"bad\"" + both, g -> {
            g.input().endsHere();
            g.input().to(g.task("a", 1, LooseEndsTest::same)).to(g.output());
        });
    }

    // ---- what is fine

    @Test
    void aTaskThatSendsVoidNeedsNoEdge() {
        AtomicInteger sum = new AtomicInteger();
        FlowGraph<Integer, Void> graph =
                FlowGraph.build("sums", g -> g.input().to(g.task("add", 2, () -> new Adding(sum))));
        run(graph, 1, 2, 3);
        assertEquals(6, sum.get());
        FlowGraph<Integer, Void> stated = FlowGraph.build("stated", g -> {
            g.types(Integer.class, Void.class);
            g.input().to(g.task("add", 2, () -> (Integer n, Emitter<Integer> out) -> sum.addAndGet(n)));
        });
        run(stated, 4);
        assertEquals(10, sum.get());
    }

    @Test
    void whatEndsHereIsDropped() {
        AtomicInteger sum = new AtomicInteger();
        FlowGraph<Integer, Integer> inner = FlowGraph.build(
                "inner",
                g -> g.input()
                        .to(g.task("add", 1, () -> (Integer n, Emitter<Integer> out) -> {
                            sum.addAndGet(n);
                            out.emit(n);
                        }))
                        .to(g.output()));
        FlowGraph<Integer, Integer> graph = FlowGraph.build("ends", g -> {
            FlowGraph.Nested<Integer, Integer> part = g.input().to(g.graph("part", inner));
            part.endsHere();
            g.input().to(g.task("text", 1, ToText::new)).endsHere();
            g.input().to(g.<Integer>bookkeeper("keeper")).rule(new Halves()).endsHere();
            g.<Integer>start("s", 2, () -> (signal, out) -> out.emit(1)).endsHere();
        });
        run(graph, 1, 2, 3);
        assertEquals(6, sum.get());
        run(
                FlowGraph.<Integer, Integer>build("input", g -> {
                    g.input().endsHere();
                    g.<Integer>start("s", 1, () -> (signal, out) -> {}).to(g.output());
                }),
                7);
    }

    private static <O> void run(FlowGraph<Integer, O> graph, int... items) {
        assertEquals(List.of(), graph.check().problems());
        for (boolean dedicated : new boolean[] {false, true}) {
            FlowRun.Options options = FlowRun.Options.defaults();
            try (Session session = Session.builder().workers(2).open();
                    FlowRun<Integer, O> run =
                            graph.start(session, dedicated ? options.withDedicatedThreads() : options)) {
                for (int item : dedicated ? new int[0] : items) {
                    run.send(item);
                }
                run.finish();
                assertFalse(run.iterator().hasNext());
                assertTrue(run.profile().links().stream()
                        .noneMatch(link -> link.to().equals("nowhere")));
            }
        }
    }

    // ---- what the run finds, since the check cannot know what lambdas send

    @Test
    void anItemThatNoEdgeTakesFailsTheRun() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("lost", g -> {
            g.input().to(g.task("lambda", 1, LooseEndsTest::same));
            g.input().to(g.output());
        });
        assertEquals(List.of(), graph.check().problems());
        assertMentions(
                failure(graph),
                "task \"lambda\" emitted 5, and no edge leads from it: join it with to(...), or declare endsHere()");
        FlowGraph<Integer, Integer> rules = FlowGraph.build("lost", g -> {
            Bookkeeper<Integer> keeper = g.input().to(g.bookkeeper("keeper"));
            keeper.rule((Integer n, int pipeline, Emitter<Integer> out) -> out.emit(n))
                    .to(g.output());
            keeper.rule((Integer n, int pipeline, Emitter<Integer> out) -> out.emit(n));
        });
        assertEquals(List.of(), rules.check().problems());
        assertMentions(failure(rules), "rule 2 of 2 of bookkeeper \"keeper\" emitted 5, and no edge leads from it");
    }

    private static Throwable failure(FlowGraph<Integer, Integer> graph) {
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(5);
            run.finish();
            Throwable cause = assertThrows(FlowFailedException.class, () -> run.forEach(any -> {}))
                    .getCause();
            assertTrue(cause instanceof IllegalStateException, () -> "" + cause);
            return cause;
        }
    }
}
