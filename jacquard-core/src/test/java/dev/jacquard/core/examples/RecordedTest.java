package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Record once, run a thousand times. */
class RecordedTest {
    private static final int N = 64;

    @Test
    void aTimeStepRunsAThousandTimes() {
        try (Session session = Session.open()) {
            Handle<double[]> u = session.wrap("u", hotEnd());
            Handle<double[]> v = session.wrap("v", new double[N]);
            CompiledGraph step = session.record(graph -> timestep(graph, u, v));
            for (int n = 0; n < 1_000; n++) {
                step.run(); // no allocation, no inference
            }
            assertEquals(1, u.value()[0]);
            assertEquals(
                    "2 tasks: 2 done, 0 failed, 0 cancelled, 0 skipped",
                    step.report().toString());
        }
    }

    /** Submits to whatever it is given: a live graph, a recorder, the inside of a task. */
    private static void timestep(Tasks graph, Handle<double[]> u, Handle<double[]> v) {
        graph.task("relax").reads(u).writes(v).run(ctx -> relax(ctx.get(u), ctx.get(v)));
        graph.task("copy").writes(u).reads(v).run(ctx -> System.arraycopy(ctx.get(v), 0, ctx.get(u), 0, N));
    }

    @Test
    void aTaskDecidesWhetherThereIsAnotherPass() {
        double eps = 1e-3;
        try (Session session = Session.open()) {
            Handle<double[]> u = session.wrap("u", hotEnd());
            Handle<double[]> v = session.wrap("v", new double[N]);
            Handle<double[]> norm = session.wrap("norm", new double[1]);
            CompiledGraph solve = session.record("solve", rec -> {
                rec.task("relax").reads(u).writes(v).run(ctx -> relax(ctx.get(u), ctx.get(v)));
                rec.task("norm")
                        .reads(u)
                        .reads(v)
                        .writes(norm)
                        .run(ctx -> ctx.get(norm)[0] = distance(ctx.get(u), ctx.get(v)));
                rec.task("copy").writes(u).reads(v).run(ctx -> System.arraycopy(ctx.get(v), 0, ctx.get(u), 0, N));
                rec.repeatWhile("not there yet", t -> t.reads(norm), ctx -> ctx.get(norm)[0] > eps);
            });
            solve.run();
            assertEquals(0, norm.value()[0], eps);
        }
    }

    @Test
    void aTaskChoosesABranch() {
        List<String> ran = new ArrayList<>();
        try (Session session = Session.open()) {
            Handle<int[]> count = session.wrap("count", new int[1]);
            CompiledGraph step = session.record("step", rec -> {
                rec.task("count").updates(count).run(ctx -> ctx.get(count)[0]++);
                rec.choose("every tenth?", t -> t.reads(count), 2, ctx -> ctx.get(count)[0] % 10 == 0 ? 1 : 0)
                        .in(1, yes -> yes.task("save").reads(count).run(ctx -> ran.add("save " + ctx.get(count)[0])));
            });
            for (int n = 0; n < 25; n++) {
                step.run();
            }
        }
        assertEquals(List.of("save 10", "save 20"), ran);
    }

    @Test
    void aGraphIsATaskOfAnotherAndOfALiveOne() {
        try (Session session = Session.open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            CompiledGraph inner = session.record("inner", rec -> {
                rec.task("a").updates(x).run(ctx -> ctx.get(x)[0] += 2);
                rec.task("b").updates(x).run(ctx -> ctx.get(x)[0] *= 3);
            });
            CompiledGraph outer = session.record("outer", rec -> {
                rec.task("before").writes(x).run(ctx -> ctx.get(x)[0] = 1);
                rec.graph("inner", inner);
            });
            outer.run();
            assertEquals(9, x.value()[0]);

            TaskGraph graph = session.graph();
            graph.task("reset").writes(x).run(ctx -> ctx.get(x)[0] = 2);
            inner.submit(graph, "inner"); // orders itself by what its tasks access; no worker waits for it
            Task<Integer> last = graph.task("last").reads(x).call(ctx -> ctx.get(x)[0]);
            assertEquals(12, last.join());
        }
    }

    private static double[] hotEnd() {
        double[] u = new double[N];
        u[0] = 1;
        return u;
    }

    private static void relax(double[] u, double[] v) {
        v[0] = u[0];
        v[N - 1] = u[N - 1];
        for (int i = 1; i < N - 1; i++) {
            v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
        }
    }

    private static double distance(double[] u, double[] v) {
        double most = 0;
        for (int i = 0; i < N; i++) {
            most = Math.max(most, Math.abs(u[i] - v[i]));
        }
        return most;
    }
}
