package dev.jacquard.apps.stitching.align;

import java.util.Arrays;
import java.util.List;

/**
 * The stage's step from tile to tile in one direction.
 *
 * @param dx median step to the right, in pixels
 * @param dy median step down
 * @param spreadX the stage's repeatability: no step that was counted differs from the median by more, to the right
 * @param spreadY the same, down
 * @param support how many certain measurements this rests on; with 0 the step is the nominal one
 */
public record Steps(int dx, int dy, int spreadX, int spreadY, int support) {
    /** Steps differ from the median by a part of a tile without being outliers. */
    private static final double USUAL_SPREAD = 0.02;
    /** Two tiles of jittering stages are apart by twice the jitter, in pixels, however small the tiles. */
    private static final double LEAST_UNSEEN = 8;
    /** An outlier is this many median deviations off: six standard deviations of normal jitter. */
    private static final double OUTLIER = 6 * 1.4826;

    static Steps estimate(StagePrior prior, Direction direction, List<Measurement> measurements) {
        Measurement[] certain = measurements.stream()
                .filter(m -> m.certain() && m.pair().direction() == direction)
                .toArray(Measurement[]::new);
        if (certain.length == 0) {
            int step = prior.step(direction);
            return direction == Direction.WEST ? new Steps(step, 0, 0, 0, 0) : new Steps(0, step, 0, 0, 0);
        }
        int[] x = Arrays.stream(certain).mapToInt(Measurement::dx).toArray();
        int[] y = Arrays.stream(certain).mapToInt(Measurement::dy).toArray();
        int medianX = median(x.clone());
        int medianY = median(y.clone());
        double usual = Math.max(3, USUAL_SPREAD * prior.along(direction));
        double limitX = Math.max(usual, OUTLIER * medianDeviation(x, medianX));
        double limitY = Math.max(usual, OUTLIER * medianDeviation(y, medianY));
        int spreadX = 0;
        int spreadY = 0;
        int support = 0;
        for (int i = 0; i < x.length; i++) {
            int offX = Math.abs(x[i] - medianX);
            int offY = Math.abs(y[i] - medianY);
            if (offX <= limitX && offY <= limitY) {
                spreadX = Math.max(spreadX, offX);
                spreadY = Math.max(spreadY, offY);
                support++;
            }
        }
        return new Steps(medianX, medianY, spreadX, spreadY, support);
    }

    /** Whether any measurement supports this. */
    boolean known() {
        return support > 0;
    }

    /** Where the stage may step: the seen spread and half as much, and more the fewer steps were seen. */
    Window window(int along) {
        double usual = Math.max(LEAST_UNSEEN, USUAL_SPREAD * along);
        int unseen = 2 + (int) Math.ceil(usual / Math.sqrt(Math.max(1, support)));
        return Window.around(dx, dy, spreadX + spreadX / 2 + unseen, spreadY + spreadY / 2 + unseen);
    }

    private static double medianDeviation(int[] values, int median) {
        return median(Arrays.stream(values).map(v -> Math.abs(v - median)).toArray());
    }

    /** The lower median; sorts its argument. */
    private static int median(int[] values) {
        Arrays.sort(values);
        return values[(values.length - 1) / 2];
    }
}
