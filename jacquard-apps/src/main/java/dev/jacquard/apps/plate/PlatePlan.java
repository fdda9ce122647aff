package dev.jacquard.apps.plate;

/**
 * Where the tiles of a plate lie, and how bright each is: a pure function of the seed.
 *
 * @param rows rows of the plate
 * @param columns columns of the plate
 * @param tileWidth columns of a tile, in pixels
 * @param tileHeight rows of a tile, in pixels
 * @param overlap nominal part of a tile that its neighbour shows too
 * @param jitter how far a tile may lie from its nominal place in either direction, in pixels
 * @param gain how far a tile's brightness may be from 1
 * @param seed which plate
 */
record PlatePlan(
        int rows, int columns, int tileWidth, int tileHeight, double overlap, int jitter, double gain, Seed seed) {
    private static final int X = 1;
    private static final int Y = 2;
    private static final int GAIN = 3;

    /** Left edge of a tile in the scene, at least 0. */
    int x(int row, int column) {
        return column * step(tileWidth) + offset(X, row, column);
    }

    /** Upper edge of a tile in the scene, at least 0. */
    int y(int row, int column) {
        return row * step(tileHeight) + offset(Y, row, column);
    }

    /** By how much a tile is brighter than the scene. */
    double gain(int row, int column) {
        return 1 + gain * (2 * seed.of(GAIN).fraction(row, column) - 1);
    }

    /** Columns of the scene that the plate needs at most. */
    int width() {
        return (columns - 1) * step(tileWidth) + 2 * jitter + tileWidth;
    }

    /** Rows of the scene that the plate needs at most. */
    int height() {
        return (rows - 1) * step(tileHeight) + 2 * jitter + tileHeight;
    }

    private int step(int size) {
        return (int) Math.max(1, Math.round(size * (1 - overlap)));
    }

    private int offset(int purpose, int row, int column) {
        return (int) (seed.of(purpose).fraction(row, column) * (2 * jitter + 1));
    }
}
