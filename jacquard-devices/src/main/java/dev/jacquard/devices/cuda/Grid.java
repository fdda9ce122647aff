package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.LaunchShape;

/**
 * Blocks of threads that cover a launch; the last ones may reach beyond it, so kernels compare their index with the
 * size.
 */
record Grid(int x, int y, int z, int blockX, int blockY, int blockZ) {
    /** The driver's limit on blocks in the second and third dimension; in the first it is that of an int. */
    private static final int MOST_YZ = 65_535;

    private static final int WARP = 32;

    /**
     * Blocks as asked for; or, when that is left to the device, whole warps up to {@code preferred} threads in one
     * dimension, 16 x 16 in two, 8 x 8 x 4 in three, halved until the kernel can have that many.
     *
     * @param preferred threads per block in one dimension at which the kernel fills the device best
     * @param most threads per block that the kernel can have
     * @throws IllegalArgumentException when blocks, or their number, are too large
     */
    static Grid of(LaunchShape shape, int preferred, int most) {
        int blockX = shape.groupX();
        int blockY = shape.groupY();
        int blockZ = shape.groupZ();
        if (blockX == 0) {
            boolean flat = shape.z() == 1;
            boolean line = flat && shape.y() == 1;
            blockX = line ? (int) Math.min(Math.min(preferred, most), roundedUp(shape.x(), WARP)) : flat ? 16 : 8;
            blockY = line ? 1 : flat ? 16 : 8;
            blockZ = flat ? 1 : 4;
            while ((long) blockX * blockY * blockZ > most) {
                if (blockZ > 1) {
                    blockZ /= 2;
                } else if (blockY > 1) {
                    blockY /= 2;
                } else {
                    blockX /= 2;
                }
            }
        } else if ((long) blockX * blockY * blockZ > most) {
            throw new IllegalArgumentException("a group of " + blockX + " x " + blockY + " x " + blockZ
                    + " threads is larger than the " + most + " that the kernel can have");
        }
        return new Grid(
                blocks(shape.x(), blockX, Integer.MAX_VALUE),
                blocks(shape.y(), blockY, MOST_YZ),
                blocks(shape.z(), blockZ, MOST_YZ),
                blockX,
                blockY,
                blockZ);
    }

    private static int blocks(long items, int block, int most) {
        long blocks = Math.ceilDiv(items, (long) block);
        if (blocks > most) {
            throw new IllegalArgumentException(
                    items + " work items are " + blocks + " blocks of " + block + "; a dimension has at most " + most);
        }
        return (int) blocks;
    }

    private static long roundedUp(long items, int unit) {
        return items > Integer.MAX_VALUE ? items : Math.ceilDiv(items, (long) unit) * unit;
    }
}
