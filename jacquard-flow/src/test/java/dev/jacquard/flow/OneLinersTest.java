package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.Permit;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.data.Handle;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that are one function. */
@Timeout(60)
class OneLinersTest {
    @Test
    void functionsMakeAGraph() {
        LongAdder seen = new LongAdder();
        FlowGraph<Integer, String> graph = FlowGraph.build("functions", g -> {
            FlowTask<Integer, Integer> square = g.map("square", 2, n -> n * n);
            g.input()
                    .to(square)
                    .to(g.filter("even", 2, (Integer n) -> n % 2 == 0))
                    .to(g.flatMap("twice", 1, (Integer n) -> List.of(n + "a", n + "b")))
                    .to(g.output());
            square.to(g.each("count", 3, n -> seen.add(n)));
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        for (long seed = 0; seed < 20; seed++) {
            List<String> results = FlowTest.run(graph, new SeededWorkers(seed), List.of(1, 2, 3, 4)).stream()
                    .sorted()
                    .toList();
            assertEquals(List.of("16a", "16b", "4a", "4b"), results);
        }
        assertEquals(20 * 30, seen.sum());
    }

    @Test
    void aGraphOfActionsNeedsNoOutput() {
        LongAdder seen = new LongAdder();
        FlowGraph<Integer, Void> graph = FlowGraph.build(
                "actions",
                g -> g.input()
                        .to(g.map("next", 1, (Integer n) -> n + 1))
                        .to(g.each("count", 2, (Integer n) -> seen.add(n))));
        assertTrue(graph.check().isFine(), graph.check().toString());
        try (ThreadedWorkers workers = new ThreadedWorkers(2);
                FlowRun<Integer, Void> run = graph.start(workers)) {
            run.sendAll(IntStream.range(0, 100).boxed().toList());
            run.finish();
            run.await();
        }
        assertEquals(5050, seen.sum());
    }

    @Test
    void aFunctionMayThrow() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "throwing",
                g -> g.input()
                        .to(g.map("fail", 1, (Integer n) -> {
                            if (n == 2) {
                                throw new IOException("no " + n);
                            }
                            return n;
                        }))
                        .to(g.output()));
        try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
            run.sendAll(List.of(1, 2, 3));
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertInstanceOf(IOException.class, failed.getCause());
        }
    }

    @Test
    void functionsDeclareTheirRates() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("rates", g -> {
            MemoryEdge<Permit> permits = g.permits("permits", 1);
            var take = g.task("take", 1, () -> (Integer n, Emitter<Handle<Permit>> out) -> out.emit(out.take(permits)))
                    .takes(permits)
                    .emits(1);
            var give = g.task("give", 1, () -> (Handle<Permit> permit, Emitter<Integer> out) -> {
                        out.release(permit);
                        out.emit(1);
                    })
                    .releases(permits, 1)
                    .emits(1);
            g.input()
                    .to(g.filter("some", 1, (Integer n) -> n > 0))
                    .to(g.map("next", 1, (Integer n) -> n + 1))
                    .to(take)
                    .to(give);
            give.to(g.output());
            give.to(g.each("show", 1, n -> {}));
        });
        assertTrue(graph.prove().isProved(), graph.prove().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "g.input().to(g.map(\"a\", 1, (Integer n) -> \"\" + n)).to(g.output());",
                "g.input().to(g.map(\"a\", 1, Integer::toHexString)).to(g.output());",
                "FlowTask<Integer, String> a = g.map(\"a\", 2, n -> \"\" + n);",
                "FlowTask<Integer, Void> a = g.each(\"a\", 2, n -> {});",
                "FlowTask<Integer, String> a = g.flatMap(\"a\", 2, n -> List.of(\"\" + n));",
                "g.input().to(g.filter(\"a\", 1, (Integer n) -> n > 0)).to(shapes);",
            })
    void rightFunctionsCompile(String statement) throws IOException {
        assertEquals(List.of(), CompilerErrors.of(statement));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "g.input().to(g.map(\"a\", 1, (String text) -> text));",
                "g.input().to(g.map(\"a\", 1, (Integer n) -> n)).to(g.output());",
                "g.input().to(g.each(\"a\", 1, (Integer n) -> {})).to(g.output());",
            })
    void wrongFunctionsDoNotCompile(String statement) throws IOException {
        assertEquals(1, CompilerErrors.of(statement).size(), statement);
    }
}
