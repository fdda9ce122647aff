package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;
import java.util.Arrays;

/**
 * Cross-correlation factors of a pair on a lattice of displacements. Reused from pair to pair; confined to a thread.
 */
final class Surface {
    /** The factor of a displacement of which nothing is known. */
    private static final float UNKNOWN = -2;
    /** Weaker factors, as parts of the one at the measured displacement, are no candidates. */
    private static final float LOW = 0.75f;
    /** The same for hills on a coarse lattice, which passes between fine ones. */
    private static final float LOW_BETWEEN = 0.3f;
    /** Overlaps this many times smaller than the measured one are ranked among themselves. */
    private static final int NARROW = 4;
    /** Rings around the measured displacement, in lattice steps. */
    private static final int[] RINGS = {4, 8, 16, 32};

    private float[] factors = {};
    private int minDx;
    private int minDy;
    private int step;
    private int columns;
    private int rows;

    /**
     * Begins a surface without any factor.
     *
     * @param window the displacements; the lattice begins at its smallest dx and dy
     * @param latticeStep pixels from one displacement to the next, along both axes
     */
    void start(Window window, int latticeStep) {
        minDx = window.minDx();
        minDy = window.minDy();
        step = latticeStep;
        columns = (window.maxDx() - minDx) / step + 1;
        rows = (window.maxDy() - minDy) / step + 1;
        if (factors.length < columns * rows) {
            factors = new float[columns * rows];
        }
        Arrays.fill(factors, 0, columns * rows, UNKNOWN);
    }

    int step() {
        return step;
    }

    int columns() {
        return columns;
    }

    int rows() {
        return rows;
    }

    /** Sets a factor by its place on the lattice. */
    void set(int column, int row, float factor) {
        factors[row * columns + column] = factor;
    }

    /** Sets the factor of a displacement on the lattice; NaN leaves it unknown. */
    void setAt(int dx, int dy, double factor) {
        set((dx - minDx) / step, (dy - minDy) / step, Double.isNaN(factor) ? UNKNOWN : (float) factor);
    }

    /**
     * Adds the most promising displacements other than {@code (dx, dy)} to {@code found}: the highest hills, the ones
     * of narrow overlaps apart from the others since few pixels correlate by chance, and the highest place on rings
     * around {@code (dx, dy)}, which an edge crosses.
     *
     * @return the highest hill, as it compares with the factor of {@code (dx, dy)}; 0 when there is none
     */
    float rivals(GrayImage from, int dx, int dy, Candidates found) {
        long here = CrossCorrelation.sharedPixels(from, dx, dy);
        float measured = highestNear(dx, dy);
        float low = (step == 1 ? LOW : LOW_BETWEEN) * measured;
        int apart = Math.max(Evidence.RING, step);
        float strongest = 0;
        for (int row = 0; row < rows; row++) {
            int atDy = minDy + row * step;
            for (int column = 0; column < columns; column++) {
                float factor = factors[row * columns + column];
                int atDx = minDx + column * step;
                boolean other = Math.abs(atDx - dx) >= apart || Math.abs(atDy - dy) >= apart;
                if (factor > Math.min(low, strongest) && other && isHill(row, column, factor)) {
                    long shared = CrossCorrelation.sharedPixels(from, atDx, atDy);
                    // Few pixels agree by chance: the square of a factor counts as often as there are pixels.
                    float part = Math.min(1, shared / (float) here);
                    strongest = Math.max(strongest, factor * (float) Math.sqrt(part));
                    if (factor <= low) {
                        continue;
                    }
                    found.addHill(atDx, atDy, CrossCorrelation.comparable(factor, shared), shared < here / NARROW);
                }
            }
        }
        for (int ring : RINGS) {
            addRing(dx, dy, ring, LOW * measured, found);
        }
        return strongest;
    }

    /** The largest factor at and around a displacement, at least 0. */
    private float highestNear(int dx, int dy) {
        int column = Math.floorDiv(dx - minDx, step);
        int row = Math.floorDiv(dy - minDy, step);
        float highest = 0;
        for (int y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 2); y++) {
            for (int x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 2); x++) {
                highest = Math.max(highest, factors[y * columns + x]);
            }
        }
        return highest;
    }

    private boolean isHill(int row, int column, float factor) {
        for (int y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
            for (int x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
                if (factors[y * columns + x] > factor) {
                    return false;
                }
            }
        }
        return true;
    }

    private void addRing(int dx, int dy, int radius, float low, Candidates found) {
        int column = Math.floorDiv(dx - minDx, step);
        int row = Math.floorDiv(dy - minDy, step);
        int best = -1;
        for (int y = Math.max(0, row - radius); y <= Math.min(rows - 1, row + radius); y++) {
            int stride = Math.abs(y - row) == radius ? 1 : 2 * radius;
            for (int x = column - radius; x <= column + radius; x += stride) {
                boolean inside = x >= 0 && x < columns;
                if (inside && (best < 0 || factors[y * columns + x] > factors[best])) {
                    best = y * columns + x;
                }
            }
        }
        if (best >= 0 && factors[best] > low) {
            found.addPlace(minDx + best % columns * step, minDy + best / columns * step);
        }
    }

    /** Receives displacements that may fit as well as the measured one. */
    interface Candidates {
        /** A local maximum, with its factor as it compares with factors over other numbers of pixels. */
        void addHill(int dx, int dy, double comparable, boolean narrow);

        /** A displacement that is no local maximum. */
        void addPlace(int dx, int dy);
    }
}
