package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first program of the documentation. */
class FirstPageTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void twoTasksAndAnAnswer(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Handle<double[]> x = session.wrap("x", new double[1_000_000]);
            TaskGraph graph = session.graph();
            graph.task("fill").writes(x).run(ctx -> Arrays.fill(ctx.get(x), 1.0));
            Task<Double> sum = graph.task("sum")
                    .reads(x)
                    .call(ctx -> Arrays.stream(ctx.get(x)).sum());
            assertEquals(1_000_000.0, sum.join());
        }
    }
}
