package dev.jacquard.bench;

import dev.jacquard.base.clock.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The worth of two cores of this machine at the moment.
 *
 * @param pingPongNanos from one core to the other and back, the best of several tries; NaN with one core
 * @param speedUp of two busy loops over one, the median of several tries; 2 when two cores are there
 */
record Calibration(double pingPongNanos, double speedUp) {
    private static final int TRIES = 5;
    private static final double LEAST_SPEED_UP = 1.8;
    private static final int TURNS = 40_000;
    /** Turns until the other thread has surely started; even. */
    private static final int WARM_UP = 4_000;
    /** Some 20 ms. */
    private static final int BUSY_STEPS = 20_000_000;

    /** Measures for about half a second, or a fifth of that. */
    static Calibration measure(Clock clock, boolean quick) throws InterruptedException {
        if (Runtime.getRuntime().availableProcessors() == 1) {
            return new Calibration(Double.NaN, 1); // each turn of the ping-pong would take a time slice
        }
        double pingPong = Double.POSITIVE_INFINITY;
        double[] speedUps = new double[quick ? 1 : TRIES];
        for (int i = 0; i < speedUps.length; i++) {
            pingPong = Math.min(pingPong, pingPong(clock));
            double one = busy(clock, 1);
            speedUps[i] = 2 * one / busy(clock, 2);
        }
        return new Calibration(pingPong, Row.median(speedUps));
    }

    /** Returns true if figures with two workers mean little here. */
    public boolean unsuitable() {
        return speedUp < LEAST_SPEED_UP;
    }

    private static double pingPong(Clock clock) throws InterruptedException {
        Turn turn = new Turn();
        Thread other = Thread.ofPlatform().start(() -> turn.play(1, TURNS));
        turn.play(0, WARM_UP);
        long start = clock.nanoTime();
        turn.play(WARM_UP, TURNS);
        long nanos = clock.nanoTime() - start;
        other.join();
        return 2.0 * nanos / (TURNS - WARM_UP);
    }

    private static double busy(Clock clock, int threads) throws InterruptedException {
        Thread[] all = new Thread[threads];
        long[] results = new long[threads];
        long start = clock.nanoTime();
        for (int i = 0; i < threads; i++) {
            int index = i;
            all[i] = Thread.ofPlatform().start(() -> results[index] = work(index + 1));
        }
        for (Thread thread : all) {
            thread.join();
        }
        long nanos = clock.nanoTime() - start;
        if (results[0] == 0) {
            throw new IllegalStateException("the loop was not run"); // keeps the compiler from leaving it out
        }
        return nanos;
    }

    private static long work(long seed) {
        long x = seed;
        for (int i = 0; i < BUSY_STEPS; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("pingPongNanos", pingPongNanos);
        values.put("speedUp", speedUp);
        values.put("unsuitable", unsuitable());
        return values;
    }

    /** The turns of two players: player 0 at even numbers, player 1 at odd ones. */
    private static final class Turn {
        private volatile int number;

        /** Takes every second turn from {@code first}. */
        void play(int first, int end) {
            for (int turn = first; turn < end; turn += 2) {
                await(turn);
                number = turn + 1;
            }
        }

        void await(int turn) {
            while (number != turn) {
                Thread.onSpinWait();
            }
        }
    }
}
