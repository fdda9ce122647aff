package dev.jacquard.bench.graphs;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Task Bench's dependence patterns. Tasks are points of steps; a task needs points of the step before, and writes its
 * own output.
 */
enum Pattern {
    /** The point itself and its neighbours. */
    STENCIL_1D {
        @Override
        IntStream needs(int step, int point, int width) {
            return IntStream.rangeClosed(point - 1, point + 1);
        }
    },
    /** The point itself and the points at a distance of 1, 2, 4, … in turn. */
    FFT {
        @Override
        IntStream needs(int step, int point, int width) {
            int stages = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(width - 1));
            int distance = 1 << (step + stages - 1) % stages;
            return IntStream.of(point - distance, point, point + distance);
        }
    },
    /** The parent, in a binary tree that doubles its points with every step until it is as wide as can be. */
    TREE {
        @Override
        IntStream needs(int step, int point, int width) {
            return IntStream.of(point / 2);
        }

        @Override
        int widthAt(int step, int width) {
            return step < Integer.SIZE - 2 ? Math.min(width, 1 << step) : width;
        }
    },
    /**
     * The point itself, and its neighbours, each with a chance of a quarter, drawn separately for each of three steps,
     * which repeat.
     */
    RANDOM_NEAREST {
        @Override
        IntStream needs(int step, int point, int width) {
            return IntStream.rangeClosed(point - 1, point + 1)
                    .filter(other -> other == point || isConnected(step % PERIOD, point, other));
        }
    };

    private static final int PERIOD = 3;
    private static final double FRACTION = 0.25;

    /** The points of the step before that a task needs; points that do not exist are left out by the caller. */
    abstract IntStream needs(int step, int point, int width);

    int widthAt(int step, int width) {
        return width;
    }

    private static boolean isConnected(int set, int point, int other) {
        return new SplittableRandom(((long) set << Integer.SIZE) + ((long) point << Short.SIZE) + other).nextDouble()
                < FRACTION;
    }

    /** The tasks of {@code steps} steps, {@code width} points at most in each. */
    Tasks tasks(int steps, int width) {
        List<int[]> reads = new ArrayList<>();
        IntStream.Builder stepOf = IntStream.builder();
        IntStream.Builder pointOf = IntStream.builder();
        int before = 0;
        int widthBefore = 0;
        for (int step = 0; step < steps; step++) {
            int first = reads.size();
            for (int point = 0; point < widthAt(step, width); point++) {
                int start = before;
                int end = widthBefore;
                reads.add(needs(step, point, width)
                        .filter(needed -> 0 <= needed && needed < end)
                        .map(needed -> start + needed)
                        .toArray());
                stepOf.add(step);
                pointOf.add(point);
            }
            before = first;
            widthBefore = reads.size() - first;
        }
        return new Tasks(
                Shape.ofReads(reads.size(), reads::get),
                stepOf.build().toArray(),
                pointOf.build().toArray());
    }

    /**
     * Tasks in the order of their submission.
     *
     * @param step of each task
     * @param point of each task
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    record Tasks(Shape shape, int[] step, int[] point) {}
}
