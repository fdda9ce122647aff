package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Area;
import java.util.random.RandomGenerator;

/** Areas of one space: points, windows, strips, large and extreme ones. */
final class RandomAreas {
    private final RandomGenerator random;
    private final int dimensions;
    private final boolean real;
    private final int extent;
    /** How many of a hundred are of a size of their own. */
    private final int odd;

    RandomAreas(RandomGenerator random, int dimensions, boolean real) {
        this.random = random;
        this.dimensions = dimensions;
        this.real = real;
        this.extent = 1 << random.nextInt(3, 9);
        this.odd = random.nextInt(3) == 0 ? 50 : 5;
    }

    Area draw() {
        int size = random.nextInt(100) < odd ? random.nextInt(7) : 7;
        return real ? drawReal(size) : drawInteger(size);
    }

    private Area drawInteger(int size) {
        long[] bounds = new long[2 * dimensions];
        for (int at = 0; at < bounds.length; at += 2) {
            long low = random.nextInt(-extent, extent);
            long high = switch (size) {
                case 0 -> low;
                case 1 -> low + random.nextInt(extent);
                case 2 -> low + (random.nextBoolean() ? 0 : extent);
                case 3 -> Long.MAX_VALUE;
                case 4 -> low + (1L << random.nextInt(40));
                default -> low + 7;
            };
            if (size == 5 && random.nextBoolean()) {
                low = random.nextBoolean() ? Long.MIN_VALUE : -(1L << random.nextInt(63));
            }
            bounds[at] = Math.min(low, high);
            bounds[at + 1] = Math.max(low, high);
        }
        return Area.of(bounds);
    }

    private Area drawReal(int size) {
        double[] bounds = new double[2 * dimensions];
        for (int at = 0; at < bounds.length; at += 2) {
            double low = random.nextDouble(-extent, extent);
            double high = switch (size) {
                case 0 -> low;
                case 1 -> low + random.nextDouble(extent);
                case 2 -> low + (random.nextBoolean() ? Double.MIN_VALUE : extent);
                case 3 -> random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.MAX_VALUE;
                case 4 -> low + Math.scalb(1.0, random.nextInt(-60, 60));
                default -> low + 7;
            };
            if (size == 5 && random.nextBoolean()) {
                low = random.nextBoolean() ? Double.NEGATIVE_INFINITY : -Math.scalb(1.0, random.nextInt(1_023));
            }
            if (size == 6) {
                low = random.nextBoolean() ? 0 : -0.0;
                high = Math.scalb(1.0, random.nextInt(-1_074, 10));
            }
            bounds[at] = Math.min(low, high);
            bounds[at + 1] = Math.max(low, high);
        }
        return Area.ofReals(bounds);
    }
}
