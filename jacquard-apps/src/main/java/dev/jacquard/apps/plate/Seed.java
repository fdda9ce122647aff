package dev.jacquard.apps.plate;

/**
 * Random numbers as a pure function of a seed and coordinates, so that any part of a plate can be made without the
 * parts before it. The mixing is that of SplitMix64 (Steele, Lea and Flood, 2014).
 *
 * @param value the seed
 */
record Seed(long value) {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** A separate seed for one purpose. */
    Seed of(long purpose) {
        return new Seed(bits(purpose, ~purpose));
    }

    /** 64 random bits for a pair of coordinates. */
    long bits(long x, long y) {
        return mix(mix(value + GOLDEN * x) + GOLDEN * y);
    }

    /** A number from 0 up to, not including, 1. */
    double fraction(long x, long y) {
        return (bits(x, y) >>> 11) * 0x1.0p-53;
    }

    /** A number of the normal distribution with mean 0 and deviation 1 (Box and Muller). */
    double gaussian(long x, long y) {
        double radius = Math.sqrt(-2 * StrictMath.log(1 - fraction(2 * x, y)));
        return radius * StrictMath.cos(2 * Math.PI * fraction(2 * x + 1, y));
    }

    static long mix(long bits) {
        long z = bits;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
