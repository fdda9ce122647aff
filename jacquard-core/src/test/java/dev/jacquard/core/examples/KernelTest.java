package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.data.Handle;
import org.junit.jupiter.api.Test;

/** One task, several targets. */
class KernelTest {
    private static final ExecutionTarget DSP = ExecutionTarget.named("dsp");

    @Test
    void theSessionPicksTheImplementation() {
        assertEquals("on a host worker: 4.0", axpy(Session.builder()));
        assertEquals("on the DSP's thread: 4.0", axpy(Session.builder().workersFor(DSP, 1)));
    }

    private static String axpy(SessionBuilder builder) {
        String[] where = {""};
        try (Session session = builder.open()) {
            Handle<double[]> x = session.wrap("x", new double[] {1, 1});
            Handle<double[]> y = session.wrap("y", new double[] {2, 2});
            Kernel axpy = Kernel.named("axpy")
                    .on(
                            DSP,
                            ctx -> { // the first that the session has workers for
                                where[0] = "on the DSP's thread";
                                daxpy(2, ctx.get(x), ctx.get(y));
                            })
                    .on(ExecutionTarget.HOST, ctx -> {
                        where[0] = "on a host worker";
                        daxpy(2, ctx.get(x), ctx.get(y));
                    });
            TaskGraph graph = session.graph();
            graph.task("axpy").reads(x).updates(y).run(axpy);
            graph.await();
            return where[0] + ": " + y.value()[1];
        }
    }

    private static void daxpy(double a, double[] x, double[] y) {
        for (int i = 0; i < y.length; i++) {
            y[i] += a * x[i];
        }
    }
}
