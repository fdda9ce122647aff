package dev.jacquard.memory.device;

/**
 * The numbers of work items that run a kernel, in up to three dimensions, and of their groups.
 *
 * @param x items in the first dimension, which varies fastest; at least 1
 * @param y items in the second dimension; at least 1
 * @param z items in the third dimension; at least 1
 * @param groupX items per group in the first dimension; 0 when the device is to choose all three
 * @param groupY items per group in the second dimension
 * @param groupZ items per group in the third dimension
 */
public record LaunchShape(long x, long y, long z, int groupX, int groupY, int groupZ) {
    public LaunchShape {
        if (x < 1 || y < 1 || z < 1) {
            throw new IllegalArgumentException(
                    "a launch needs at least 1 work item in each dimension, not " + x + " x " + y + " x " + z);
        }
        boolean chosen = groupX > 0 && groupY > 0 && groupZ > 0;
        if (!chosen && (groupX != 0 || groupY != 0 || groupZ != 0)) {
            throw new IllegalArgumentException("a group needs at least 1 work item in each dimension, or 0 in all, not "
                    + groupX + " x " + groupY + " x " + groupZ);
        }
    }

    /** Items in one dimension, in groups that the device chooses. */
    public static LaunchShape of(long items) {
        return new LaunchShape(items, 1, 1, 0, 0, 0);
    }

    /** Items in two dimensions, in groups that the device chooses. */
    public static LaunchShape of(long x, long y) {
        return new LaunchShape(x, y, 1, 0, 0, 0);
    }

    /** Returns the number of items in all. */
    public long items() {
        return Math.multiplyExact(Math.multiplyExact(x, y), z);
    }
}
