package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.stitching.align.Pair.Direction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The stage's step from tile to tile in one direction.
 *
 * @param dx median step to the right, in pixels
 * @param dy median step down
 * @param spreadX the stage's repeatability: no step that was counted differs from the median by more, to the right
 * @param spreadY the same, down
 * @param support how many measurements this rests on; with 0 the step is the nominal one
 */
record Steps(int dx, int dy, int spreadX, int spreadY, int support) {
    /** Steps differ from the median by a part of a tile without being outliers. */
    private static final double USUAL_SPREAD = 0.02;
    /** After a single step, the next may differ by this many pixels and by this part of a tile. */
    private static final int UNSEEN = 6;

    private static final double UNSEEN_PART = 0.015;
    /** An outlier is this many median deviations off: six standard deviations of normal jitter. */
    private static final double OUTLIER = 6 * 1.4826;

    /** An agreement that chance makes no more often than this is taken for a stage. */
    private static final double SUSPICION = 1e-3;

    /** Rests on the certain measurements in {@code direction}, or else on mere hints, if more agree than by chance. */
    static Steps estimate(StagePrior prior, Direction direction, List<Measurement> measurements) {
        double usual = Math.max(3, USUAL_SPREAD * prior.along(direction));
        List<Measurement> seen = new ArrayList<>();
        List<Measurement> hints = new ArrayList<>();
        for (Measurement measured : measurements) {
            if (measured.pair().direction() == direction && measured.hinted()) {
                (measured.certain() ? seen : hints).add(measured);
            }
        }
        if (seen.isEmpty()) {
            seen = largestAgreement(hints, usual, prior.window(direction));
        }
        if (seen.isEmpty()) {
            int step = prior.step(direction);
            return direction == Direction.WEST ? new Steps(step, 0, 0, 0, 0) : new Steps(0, step, 0, 0, 0);
        }
        return of(seen, usual);
    }

    private static Steps of(List<Measurement> seen, double usual) {
        int[] x = seen.stream().mapToInt(Measurement::dx).toArray();
        int[] y = seen.stream().mapToInt(Measurement::dy).toArray();
        int medianX = median(x.clone());
        int medianY = median(y.clone());
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

    /** Returns true if any measurement supports this. */
    boolean known() {
        return support > 0;
    }

    /** The steps that the stage may make: the seen spread and half as much, and more the fewer steps were seen. */
    Window window(int along) {
        int unseen = 2 + (int) Math.ceil((UNSEEN + UNSEEN_PART * along) / Math.sqrt(Math.max(1, support)));
        return Window.around(dx, dy, spreadX + spreadX / 2 + unseen, spreadY + spreadY / 2 + unseen);
    }

    /**
     * The hints within {@code usual} of the hint with most such company; none when chance alone explains their number.
     */
    private static List<Measurement> largestAgreement(List<Measurement> hints, double usual, Window possible) {
        List<Measurement> largest = List.of();
        for (Measurement centre : hints) {
            List<Measurement> near = new ArrayList<>();
            for (Measurement other : hints) {
                if (Math.abs(other.dx() - centre.dx()) <= usual && Math.abs(other.dy() - centre.dy()) <= usual) {
                    near.add(other);
                }
            }
            if (near.size() > largest.size()) {
                largest = near;
            }
        }
        double side = 2 * usual + 1;
        return chance(hints.size(), largest.size(), side * side / possible.size()) < SUSPICION ? largest : List.of();
    }

    /** A bound of the chance that {@code agreeing} of {@code all} meet, when any two do with {@code probability}. */
    private static double chance(int all, int agreeing, double probability) {
        double chance = all;
        for (int i = 1; i < agreeing; i++) {
            chance *= probability * (all - i) / i;
        }
        return chance;
    }

    private static double medianDeviation(int[] values, int median) {
        return median(
                Arrays.stream(values).map(value -> Math.abs(value - median)).toArray());
    }

    /** The lower median; sorts its argument. */
    private static int median(int[] values) {
        Arrays.sort(values);
        return values[(values.length - 1) / 2];
    }
}
