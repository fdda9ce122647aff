package dev.jacquard.memory.testing;

import dev.jacquard.memory.device.CopyShape;
import java.util.SplittableRandom;

/** Copies of all shapes, and what they do. */
final class RandomShapes {
    private RandomShapes() {}

    /**
     * One, two or three dimensions; slices that are a multiple of pitches or not, or that lie between each other's
     * rows.
     */
    static CopyShape next(SplittableRandom random) {
        long run = random.nextLong(1, 41);
        long rows = random.nextInt(3) == 0 ? 1 : random.nextLong(1, 7);
        long planes = random.nextBoolean() ? 1 : random.nextLong(1, 5);
        long[] from = strides(random, run, rows, planes);
        long[] to = strides(random, run, rows, planes);
        return new CopyShape(random.nextInt(20), random.nextInt(20), run, rows, from[0], to[0], planes, from[1], to[1]);
    }

    /** A pitch and a slice so that no two runs overlap. */
    private static long[] strides(SplittableRandom random, long run, long rows, long planes) {
        long inner = run + (random.nextBoolean() ? 0 : random.nextInt(9));
        return switch (random.nextInt(4)) {
            case 0 -> new long[] {inner, inner * rows};
            case 1 -> new long[] {inner, inner * (rows + random.nextInt(3))};
            case 2 -> new long[] {inner, inner * (rows - 1) + run + random.nextInt(9)};
            default -> new long[] {inner * (planes - 1) + run + random.nextInt(9), inner};
        };
    }

    /** What {@code before} is after {@code shape} was copied from {@code source}. */
    static byte[] copied(byte[] source, byte[] before, CopyShape shape) {
        byte[] after = before.clone();
        for (int plane = 0; plane < shape.planes(); plane++) {
            for (int row = 0; row < shape.rows(); row++) {
                for (int i = 0; i < shape.runBytes(); i++) {
                    int from = (int) (shape.fromOffset() + plane * shape.fromSlice() + row * shape.fromPitch()) + i;
                    int to = (int) (shape.toOffset() + plane * shape.toSlice() + row * shape.toPitch()) + i;
                    after[to] = source[from];
                }
            }
        }
        return after;
    }
}
