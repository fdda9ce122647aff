package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A graph built by hand: heat that spreads. */
class CompiledPageTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void heatSpreads(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Handle<double[]> u = session.wrap("u", new double[1026]);
            Handle<double[]> v = session.wrap("v", new double[1026]);
            u.value()[0] = 1; // the hot end
            double[] change = new double[4];
            int[] step = {0};
            CompiledGraphBuilder heat = session.compile("heat");
            int[] relax = new int[4];
            for (int part = 0; part < 4; part++) {
                int from = 1 + 256 * part;
                int at = part;
                relax[part] = heat.task(
                        "relax " + part,
                        ctx -> change[at] = relax(ctx.get(u), ctx.get(v), from, from + 256),
                        a -> a.accesses(u, Access.read(Area.of(from - 1, from + 256)))
                                .accesses(v, Access.update(Area.of(from, from + 255))));
            }
            int[] copy = new int[4];
            for (int part = 0; part < 4; part++) {
                int from = 1 + 256 * part;
                copy[part] = heat.task(
                        "copy " + part,
                        ctx -> System.arraycopy(ctx.get(v), from, ctx.get(u), from, 256),
                        a -> a.accesses(v, Access.read(Area.of(from, from + 255)))
                                .accesses(u, Access.update(Area.of(from, from + 255))));
                for (int neighbour = Math.max(0, part - 1); neighbour <= Math.min(3, part + 1); neighbour++) {
                    heat.edge(relax[neighbour], copy[part], neighbour == part);
                }
            }
            int more = heat.repeatWhile(
                    "more",
                    ctx -> ++step[0] < 1_000 && Arrays.stream(change).max().orElse(0) > 1e-9);
            for (int part = 0; part < 4; part++) {
                heat.edge(relax[part], more, true);
            }
            CompiledGraph graph = heat.build();
            graph.run();
            assertTrue(graph.report().toString().startsWith("9000 tasks in 1000 passes: 9000 done"));
            assertEquals(sequentially(), u.value()[100]);
            assertTrue(graph.toDot().contains("0 -> 5 [style=dashed];"), graph.toDot());
        }
    }

    private static double relax(double[] u, double[] v, int from, int to) {
        double change = 0;
        for (int i = from; i < to; i++) {
            v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
            change = Math.max(change, Math.abs(v[i] - u[i]));
        }
        return change;
    }

    private static double sequentially() {
        double[] u = new double[1026];
        double[] v = new double[1026];
        u[0] = 1;
        for (int step = 0; step < 1_000; step++) {
            relax(u, v, 1, 1025);
            System.arraycopy(v, 1, u, 1, 1024);
        }
        return u[100];
    }
}
