package dev.jacquard.testkit;

import java.util.function.IntConsumer;

/**
 * As many rounds as a time box holds, so that a loaded machine only makes a stress test weaker. A build takes a short
 * while for them; {@code -Djacquard.stress=true} takes half as long again.
 */
public final class Rounds {
    private static final boolean LONG = Boolean.getBoolean("jacquard.stress");
    private static final long BOX_NANOS = LONG ? 375_000_000 : 250_000_000;

    private Rounds() {}

    /** Returns a third of {@code all}, the number of random programs that a build runs; a campaign runs more. */
    public static int some(int all) {
        return all / 3;
    }

    /** Calls {@code round} with 1, 2, …, {@code most} or the end of the box; returns how often. */
    public static int run(int most, IntConsumer round) {
        long end = System.nanoTime() + BOX_NANOS;
        int done = 0;
        while (done < most && System.nanoTime() < end) {
            round.accept(++done);
        }
        return done;
    }

    /**
     * Lets a time pass that differs from round to round: up to some 100 ns in steps of one or two, or some
     * microseconds.
     */
    public static void drift(int round) {
        int turns = (round * 31) % 251;
        if ((round & 3) == 0) {
            for (int i = 0; i < turns / 8; i++) {
                Thread.onSpinWait();
            }
        } else {
            int bits = round;
            for (int i = 0; i < turns; i++) {
                bits = bits * 31 + i;
            }
            sink = bits;
        }
    }

    /** Keeps the loop above from being left out. Racy on purpose. */
    @SuppressWarnings("unused")
    private static int sink;
}
