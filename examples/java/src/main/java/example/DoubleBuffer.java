package example;

import module dev.jacquard.core;
import module dev.jacquard.drawing;
import module java.base;

/** A double buffer: heat spreads along a rod, from one array into the other and back. Recorded once, run 5,000 times. */
public final class DoubleBuffer {
    private static final int CELLS = 4096;
    private static final int BAND = 1024;

    public static void main(String[] args) throws IOException {
        double[] rod = new double[CELLS];
        rod[0] = 1;                                               // the ends stay as they are
        try (Session session = Session.open()) {
            Handle<double[]> u = session.wrap("u", rod);
            Handle<double[]> v = session.wrap("v", rod.clone());
            CompiledGraph twoSteps = session.record("two steps", graph -> {
                step(graph, u, v);
                step(graph, v, u);
            });
            for (int n = 0; n < 5_000; n++) twoSteps.run();       // no inference, no allocation

            IO.println(twoSteps.report());                        // prints: 8 tasks: 8 done
            IO.println("%.4f".formatted(u.value()[100]));         // prints: 0.2636
            GraphDrawing.of(twoSteps.snapshot()).writeSvg(Path.of("two-steps.svg"));
        }
    }

    /** A task for each band of {@code to}, which needs its band of {@code from} and a cell on either side. */
    private static void step(Tasks graph, Handle<double[]> from, Handle<double[]> to) {
        for (int low = 0; low < CELLS; low += BAND) {
            int first = Math.max(1, low);
            int last = Math.min(CELLS - 2, low + BAND - 1);
            graph.task(from.name() + " to " + to.name() + " " + low / BAND)
                    .accesses(from, Access.read(Area.of(first - 1, last + 1)))
                    .accesses(to, Access.update(Area.of(first, last)))
                    .run(ctx -> spread(ctx.get(from), ctx.get(to), first, last));
        }
    }

    private static void spread(double[] from, double[] to, int first, int last) {
        for (int i = first; i <= last; i++) to[i] = from[i] + 0.4 * (from[i - 1] - 2 * from[i] + from[i + 1]);
    }
}
