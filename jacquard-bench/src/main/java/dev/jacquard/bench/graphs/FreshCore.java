package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Workload.Contender;
import java.util.Arrays;
import java.util.Map;

/**
 * Jacquard on one worker, on a core that is loaded anew for each round and warmed up within it: two copies of the same
 * classes differ by some percent in what the compiler makes of them, so only many copies tell a difference that is
 * smaller.
 */
final class FreshCore extends Contender {
    private static final int WARM_UPS = 60;
    private static final int RUNS = 9;

    private final Shape shape;
    private final boolean quick;
    private final Clock clock;
    private final Shape.Maker maker;

    FreshCore(String system, Shape shape, boolean quick, Clock clock, Shape.Maker maker) {
        super(system, 1);
        this.shape = shape;
        this.quick = quick;
        this.clock = clock;
        this.maker = maker;
    }

    @Override
    public Map<String, Double> round() throws Exception {
        ShapeContender copy = new ShapeContender(system(), 1, shape, new Board(shape, quick), clock, maker);
        try {
            for (int run = 0; run < (quick ? 0 : WARM_UPS); run++) {
                copy.nanosPerTask();
            }
            double[] figures = new double[quick ? 1 : RUNS];
            for (int run = 0; run < figures.length; run++) {
                figures[run] = copy.nanosPerTask();
            }
            Arrays.sort(figures);
            return Map.of(MAIN, figures[figures.length / 2]);
        } finally {
            copy.close();
        }
    }
}
