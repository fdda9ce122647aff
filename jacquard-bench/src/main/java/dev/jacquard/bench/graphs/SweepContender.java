package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Workload.Contender;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/**
 * One system's METG(50 %): the time per task and core at which it still reaches half of the kernel's peak, in µs. A
 * round is a sweep over kernels of 2^16 iterations, 2^15, and so on.
 *
 * <p>Of the sizes that reach half the smallest is taken, and interpolated linearly to half against the next smaller
 * one. A system that never does gets the time of its largest tasks: its METG is above that.
 */
final class SweepContender extends Contender {
    private static final double HALF = 0.5;
    /** Smaller tasks need not be tried. */
    private static final double HOPELESS = 0.1;
    /** Runs of less than this are repeated, and the median taken. */
    private static final long SHORT_NANOS = 50_000_000;

    private static final int REPETITIONS = 3;
    private static final double NANOS_PER_MICRO = 1000;

    /** A system that runs the tasks of a pattern with kernels of any size. Confined to the thread that made it. */
    interface PointRuns extends Closeable {
        /**
         * Runs all tasks once.
         *
         * @param iterations of the kernel in each
         * @return nanoseconds
         * @throws IllegalStateException when the outputs are wrong
         */
        long run(long iterations) throws Exception;

        /** The speed of the kernel alone, on all threads at once: GFLOP/s per thread. */
        double peak() throws Exception;
    }

    private final PointRuns runs;
    private final int tasks;
    private final long mostIterations;
    /** The best that was seen: a disturbance of the machine must not make a system look efficient. */
    private double peak;

    SweepContender(String system, int workers, int tasks, long mostIterations, PointRuns runs) {
        super(system, workers);
        this.tasks = tasks;
        this.mostIterations = mostIterations;
        this.runs = runs;
    }

    @Override
    public Map<String, Double> round() throws Exception {
        peak = Math.max(peak, runs.peak());
        double smallest = Double.NaN;
        double last = Double.NaN;
        double lastEfficiency = Double.NaN;
        for (long iterations = mostIterations; iterations >= 1; iterations /= 2) {
            double taken = nanosPerTask(iterations);
            double efficiency = (iterations * (double) ComputeBound.FLOP_PER_ITERATION + ComputeBound.FLOP_AT_THE_END)
                    / taken
                    / peak;
            if (efficiency >= HALF) {
                smallest = taken;
            } else if (lastEfficiency >= HALF) {
                smallest = interpolate(taken, efficiency, last, lastEfficiency);
            } else if (Double.isNaN(smallest)) {
                smallest = Double.isNaN(last) ? taken : last;
            }
            if (efficiency < HOPELESS) {
                break;
            }
            last = taken;
            lastEfficiency = efficiency;
        }
        return Map.of(MAIN, smallest / NANOS_PER_MICRO);
    }

    /** The time at which the line through two points reaches half. */
    static double interpolate(double below, double itsEfficiency, double above, double theirEfficiency) {
        return below + (above - below) * (HALF - itsEfficiency) / (theirEfficiency - itsEfficiency);
    }

    /** Times the number of cores, as Task Bench counts. */
    private double nanosPerTask(long iterations) throws Exception {
        long[] nanos = new long[REPETITIONS];
        for (int i = 0; i < REPETITIONS; i++) {
            nanos[i] = runs.run(iterations);
            if (nanos[i] > SHORT_NANOS) {
                return nanos[i] * (double) workers() / tasks;
            }
        }
        Arrays.sort(nanos);
        return nanos[REPETITIONS / 2] * (double) workers() / tasks;
    }

    @Override
    public void close() throws IOException {
        runs.close();
    }
}
