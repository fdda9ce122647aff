package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.testing.SeededWorkers;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Edges that cannot have a bound, or whose bound is too small. */
class BoundedEdgeCheckTest {
    private static FlowTask<Integer, Integer> same(FlowBuilder<Integer, Integer> g, String name) {
        return g.<Integer, Integer>task(name, 1, () -> (n, out) -> out.emit(n)).types(int.class, int.class);
    }

    private static void refused(Consumer<FlowBuilder<Integer, Integer>> description, String... parts) {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> FlowGraph.<Integer, Integer>build("refused", description));
        assertMentions(refused, parts);
    }

    @Test
    void anEdgeThatCannotHaveABoundIsRefused() {
        refused(g -> same(g, "a").to(same(g, "b"), 0), "edge from \"a\" to \"b\"", "bound of 0: at least 1");
        refused(g -> g.input().to(same(g, "a"), 3), "edge from the input to \"a\"", "withInputBound");
        refused(g -> same(g, "a").to(g.output(), 3), "edge from \"a\" to the output", "withResultBound");
        refused(
                g -> g.<Integer>siblings("halo").to(same(g, "a"), 3),
                "edge from siblings along \"halo\" to \"a\"",
                "FlowBuilder.permits");
        FlowGraph<Integer, Integer> inner =
                FlowGraph.build("inner", g -> g.input().to(same(g, "a")).to(g.output()));
        refused(
                g -> same(g, "a").to(g.pipeline("pipe", inner, 2), 3),
                "edge from \"a\" to \"pipe\"",
                "bound the edges in the graph of the pipeline");
    }

    private static void problem(Consumer<FlowBuilder<Integer, Integer>> description, String expected) {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("problem", description);
        assertEquals(List.of(expected), graph.check().problems());
        assertThrows(IllegalStateException.class, () -> graph.start(new SeededWorkers(1)));
    }

    @Test
    void anEdgeWhoseProducerDeclaresNoNumberOrTooMuchIsRefused() {
        problem(
                g -> g.input().to(same(g, "a")).to(same(g, "b"), 3).to(g.output()),
                "edge \"a -> b\" has a bound, and task \"a\" declares no number of items: declare the items that it emits"
                        + " per item with emits(n), or emits(least, most)");
        problem(
                g -> g.input().to(same(g, "a").emits(0, 4)).to(same(g, "b"), 3).to(g.output()),
                "edge \"a -> b\" has a bound of 3, and task \"a\" may emit 4 items per item: make it at least 4");
        problem(
                g -> {
                    Bookkeeper<Integer> keeper = g.bookkeeper("keep");
                    g.input().to(keeper);
                    keeper.<Integer>rule((n, _, out) -> out.emit(n))
                            .to(same(g, "b"), 3)
                            .to(g.output());
                },
                "edge \"keep -> b\" has a bound, and rule 1 of bookkeeper \"keep\" declares no number of items: declare"
                        + " the items that it emits per item with emits(n), or emits(least, most)");
    }

    @Test
    void aBoundOnAWayToAnEndThatHasAnotherIsRefused() {
        FlowGraph<Integer, Integer> through =
                FlowGraph.build("through", g -> g.input().to(g.output()));
        problem(
                g -> g.input()
                        .to(same(g, "a").emits(1))
                        .to(g.graph("through", through), 2)
                        .to(g.output()),
                "edge \"a -> output\" cannot have a bound: state the number of results that wait with"
                        + " FlowRun.Options.withResultBound");
        problem(
                g -> g.input()
                        .to(same(g, "a").emits(1))
                        .to(g.graph("through", through), 2)
                        .to(same(g, "b"), 3)
                        .to(g.output()),
                "two bounds hold for items on their way to \"b\", of edges \"a -> b\" and \"through -> b\": leave one of"
                        + " them out");
    }

    @Test
    void aBodyThatEmitsMoreThanDeclaredFails() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("more", g -> {
            FlowTask<Integer, Integer> two = g.<Integer, Integer>task("two", 1, () -> (n, out) -> {
                        out.emit(n);
                        out.emit(n);
                    })
                    .emits(1);
            g.input().to(two).to(same(g, "take"), 5).to(g.output());
        });
        try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
            run.send(1);
            run.finish();
            assertMentions(
                    assertThrows(FlowFailedException.class, run::await),
                    "task \"two\" emitted more items per item than it declares",
                    "edge \"two -> take\" has a bound");
        }
    }
}
