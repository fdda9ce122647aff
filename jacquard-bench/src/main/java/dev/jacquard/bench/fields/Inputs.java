package dev.jacquard.bench.fields;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Loop.Range;

/** The values of inputs, and the sums by which results are compared: both the same in {@code fields.cpp}. */
final class Inputs {
    private Inputs() {}

    /** The value of a result at a point, as simple code has it. */
    @FunctionalInterface
    interface PointValue {
        /** Returns the value at the point of these indices. */
        double at(int x, int y, int z);
    }

    /**
     * The sum of a result's values, each with its weight.
     *
     * @param sum the sum
     * @param size the same of the values without their signs
     */
    record Sum(double sum, double size) {
        /** Returns true if another sum is the same but for rounding. */
        boolean isNear(double other, double tolerance) {
            return Math.abs(other - sum) <= tolerance * size;
        }
    }

    /** Returns the value of an input at a point: between -0.5 and 0.5, one of 1,024. */
    static double value(int input, int x, int y, int z) {
        int mixed = (x * 73_856_093 ^ y * 19_349_663 ^ z * 83_492_791) + input * 40_503;
        return (mixed >>> 10 & 1023) / 1024.0 - 0.5;
    }

    /** Returns the same for a point by its coordinates, on a grid of the unit square or cube. */
    static double value(int input, Grid grid, double x, double y, double z) {
        return value(input, index(grid, 0, x), index(grid, 1, y), index(grid, 2, z));
    }

    /** Returns the index of a cell's or a face's middle; cells are a power of 2, so that nothing is rounded. */
    private static int index(Grid grid, int axis, double coordinate) {
        return (int) Math.floor(coordinate * grid.cells(axis));
    }

    /** Returns the weight of a value in a sum, so that values in wrong places are found. */
    static double weight(int x, int y, int z) {
        return 1 + (x + 3 * y + 5 * z & 7);
    }

    /** Returns the sum of a result. */
    static Sum sum(Range range, PointValue values) {
        double sum = 0;
        double size = 0;
        for (int z = range.z0(); z < range.z1(); z++) {
            for (int y = range.y0(); y < range.y1(); y++) {
                for (int x = range.x0(); x < range.x1(); x++) {
                    double its = values.at(x, y, z) * weight(x, y, z);
                    sum += its;
                    size += Math.abs(its);
                }
            }
        }
        return new Sum(sum, size);
    }
}
