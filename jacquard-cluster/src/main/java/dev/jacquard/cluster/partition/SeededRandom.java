package dev.jacquard.cluster.partition;

/**
 * Random numbers that are the same for a seed on every machine and JDK: SplitMix64.
 *
 * <p>Source: G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
 *
 * <p>Confined to one thread.
 */
final class SeededRandom {
    private long state;

    SeededRandom(long seed) {
        state = seed;
    }

    /** Returns a number from 0 to {@code bound - 1}. */
    int below(int bound) {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return (int) (((z >>> 32) * bound) >>> 32);
    }

    /** Returns the numbers from 0 to {@code length - 1} in random order. */
    int[] order(int length) {
        int[] order = new int[length];
        for (int i = 0; i < length; i++) {
            int other = below(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }
}
