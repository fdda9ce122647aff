package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;

/** Runs of a system of this process. */
final class JavaPointRuns implements SweepContender.PointRuns {
    private static final long PEAK_ITERATIONS = 1L << 17;
    private static final int PEAK_TRIES = 40;

    private final String system;
    private final int workers;
    private final Points points;
    private final Shape.Runner runner;
    private final Clock clock;

    JavaPointRuns(String system, int workers, Pattern.Tasks tasks, Clock clock, Shape.Maker maker) {
        this.system = system;
        this.workers = workers;
        this.points = new Points(tasks);
        this.runner = maker.make(workers, tasks.shape(), points);
        this.clock = clock;
    }

    @Override
    public long run(long iterations) throws Exception {
        points.prepare(iterations);
        long start = clock.nanoTime();
        runner.run();
        long nanos = clock.nanoTime() - start;
        if (!points.isRight()) {
            throw new IllegalStateException(
                    system + " with " + workers + " workers did not do the work: an output is wrong");
        }
        return nanos;
    }

    @Override
    public double peak() throws InterruptedException {
        return peak(workers, clock);
    }

    /** The speed of the kernel on {@code threads} threads at once: GFLOP/s per thread, the best of many short tries. */
    static double peak(int threads, Clock clock) throws InterruptedException {
        double[] rates = new double[threads];
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int index = i;
            all[i] = Thread.ofPlatform().start(() -> {
                for (int t = 0; t < PEAK_TRIES; t++) {
                    rates[index] = Math.max(rates[index], rate(clock));
                }
            });
        }
        double sum = 0;
        for (int i = 0; i < threads; i++) {
            all[i].join();
            sum += rates[i];
        }
        return sum / threads;
    }

    private static double rate(Clock clock) {
        long start = clock.nanoTime();
        double result = ComputeBound.run(PEAK_ITERATIONS);
        long nanos = clock.nanoTime() - start;
        return result == 0 ? 0 : PEAK_ITERATIONS * (double) ComputeBound.FLOP_PER_ITERATION / nanos;
    }

    @Override
    public void close() {
        runner.close();
    }
}
