package dev.jacquard.bench.fields;

import dev.jacquard.bench.workload.Workload.Contender;
import java.io.IOException;
import java.util.Map;

/** A system that runs a loop some times in a round; its figures are nanoseconds per point. */
final class LoopContender extends Contender {
    /** The points of a round: some ten milliseconds. */
    private static final long POINTS = 1 << 24;

    private final Measured.Runs runs;
    private final Owner owner;
    private final boolean compiles;
    private final Inputs.Sum expected;
    private final double tolerance;
    private final long points;
    private final long times;

    /** The owner of the running system, which others may share. */
    @FunctionalInterface
    interface Owner {
        /** Ends it. May be called again. */
        void close() throws IOException;
    }

    /**
     * A system.
     *
     * @param compiles whether it does so while it runs, so that the first rounds are slower
     * @param recipe its computation
     * @param expected the result, as {@link Recipe#sum} has it
     * @param quick whether the loop runs once only
     */
    LoopContender(
            String system,
            boolean compiles,
            Recipe recipe,
            Inputs.Sum expected,
            boolean quick,
            Owner owner,
            Measured.Runs runs) {
        super(system, 1);
        this.compiles = compiles;
        this.expected = expected;
        this.tolerance = recipe.tolerance();
        this.points = recipe.points();
        this.times = quick ? 1 : Math.max(1, POINTS / points);
        this.owner = owner;
        this.runs = runs;
    }

    @Override
    public Map<String, Double> round() throws Exception {
        Measured measured = runs.run(times);
        verify(expected.isNear(measured.sum(), tolerance), "the sum of the result");
        return Map.of(MAIN, measured.nanos() / ((double) times * points));
    }

    @Override
    public boolean warmsUp() {
        return compiles;
    }

    @Override
    public void close() throws IOException {
        owner.close();
    }
}
