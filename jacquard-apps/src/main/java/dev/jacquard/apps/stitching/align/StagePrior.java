package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.stitching.align.Pair.Direction;

/**
 * The knowledge of the stage before any measurement: the size of a tile and, perhaps, by which part of it neighbours
 * overlap.
 *
 * @param overlap part of a tile that neighbours share, above 0 and below 1; NaN when it is to be found out
 */
public record StagePrior(int width, int height, double overlap) {
    /** The overlap of tiles of which nothing can be measured, where it is unknown. */
    private static final double USUAL_OVERLAP = 0.1;
    /** The largest difference between the true overlap and the stated one, as a part of a tile. */
    private static final double OVERLAP_TOLERANCE = 0.1;
    /** The largest unknown overlap that is looked for. */
    private static final double LARGEST_OVERLAP = 0.6;
    /** The largest sideways part of a step, as a part of a tile. */
    private static final double LARGEST_SKEW = 0.2;

    public StagePrior {
        if (overlap <= 0 || overlap >= 1) {
            throw new IllegalArgumentException(
                    "overlap must be 'auto' or a part of a tile between 0 and 1, not " + overlap);
        }
    }

    /** A stage with an overlap that is to be found out. */
    public static StagePrior auto(int width, int height) {
        return new StagePrior(width, height, Double.NaN);
    }

    /** The step from a tile to its neighbour in {@code direction}, in pixels, by the stated or the usual overlap. */
    int step(Direction direction) {
        double part = 1 - (Double.isNaN(overlap) ? USUAL_OVERLAP : overlap);
        return (int) Math.round(part * along(direction));
    }

    /** The smallest step that a tile and its neighbour in {@code direction} can have, in pixels. */
    public int smallestStep(Direction direction) {
        double largest = Double.isNaN(overlap) ? LARGEST_OVERLAP : overlap + OVERLAP_TOLERANCE;
        return (int) Math.max(1, Math.floor((1 - largest) * along(direction)));
    }

    /** All displacements that neighbours in {@code direction} can have. */
    Window window(Direction direction) {
        int along = along(direction);
        int across = direction == Direction.WEST ? height : width;
        double smallest = Double.isNaN(overlap) ? 0 : overlap - OVERLAP_TOLERANCE;
        int min = smallestStep(direction);
        int max = (int) Math.min(along - leastOverlap(along), Math.ceil((1 - smallest) * along));
        int skew = (int) Math.round(LARGEST_SKEW * across);
        return direction == Direction.WEST ? new Window(min, max, -skew, skew) : new Window(-skew, skew, min, max);
    }

    /** Tile size in {@code direction}. */
    int along(Direction direction) {
        return direction == Direction.WEST ? width : height;
    }

    /** Narrower overlaps than this many pixels correlate by chance. */
    private static int leastOverlap(int along) {
        return Math.max(3, along / 100);
    }
}
