package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Doubt.Kind;

/**
 * Asks whether a pair fits as well at another displacement of the window as at the measured one. Noise models cannot
 * answer that: where content repeats or slides, the measured displacement leads by a chance of the lighting, of parts
 * of pixels, or of the content near the border, and the lead over many pixels seems significant. So a displacement that
 * fits nearly as well is a doubt, whatever the number of pixels, once that is more than chance.
 *
 * <p>Candidates are the hills and rings of the {@link Surface}. Where it is coarse, all displacements near the measured
 * one are looked at in addition: structure too fine for the surface repeats there. Confined to one thread.
 */
final class Rivals implements Surface.Candidates {
    /** Hills that are looked at, of wide and of narrow overlaps. */
    private static final int HILLS = 16;
    /**
     * Rows are left out so that about this many pixels are looked at: of each displacement near the measured one, of
     * each one that stands out, and when it matters.
     */
    private static final int GLANCE = 500;

    private static final int QUICK = 1_500;

    private static final int CAREFUL = 12_000;
    /** The smallest part of the measured factor that a first look at a rival must yield. */
    private static final double WORTH_A_LOOK = 0.75;
    /** The same for a climb from there, which may lead to more. */
    private static final double WORTH_A_CLIMB = 0.5;
    /** Two hills fit alike when the lower factor is at least this part of the higher one. */
    private static final double ALIKE_HILLS = 0.9;
    /** They differ when the lower one leaves this many times more of the variance unexplained. */
    private static final double OTHER_HILLS = 12;
    /** The same for places on one ridge, where smooth images fall slowly from their only maximum. */
    private static final double ALIKE_PLACES = 0.98;

    private static final double OTHER_PLACES = 2;
    /** A valley falls below this part of the lower hill. */
    private static final double VALLEY = 0.9;
    /** The lead in nats that the best of 10^6 displacements has by chance. */
    private static final double CHANCE = 14;

    private final Evidence evidence;
    private final Climb climb = new Climb(QUICK);
    private final Surface near = new Surface();
    private final int[] hillDx = new int[2 * HILLS];
    private final int[] hillDy = new int[2 * HILLS];
    private final double[] hillRank = new double[2 * HILLS];
    private final int[] count = new int[2];

    private GrayImage from;
    private GrayImage to;
    private Window window;
    private int dx;
    private int dy;
    private int coarse;
    private double factor;
    private double strongest;
    private double texture;
    private Doubt doubt = Doubt.NONE;

    Rivals(Evidence evidence) {
        this.evidence = evidence;
        GrayImage none = new GrayImage(1, 1, 8, new short[1]);
        this.from = none;
        this.to = none;
        this.window = Window.around(0, 0, 0, 0);
    }

    /** Judges the displacement {@code (atDx, atDy)} of two tiles by the surface of its window. */
    void judge(Surface surface, GrayImage first, GrayImage second, Window allowed, int atDx, int atDy) {
        from = first;
        to = second;
        window = allowed;
        dx = atDx;
        dy = atDy;
        strongest = 0;
        texture = Double.NaN;
        doubt = Doubt.NONE;
        factor = peak(dx, dy);
        if (!(factor > 0)) {
            return;
        }
        look(surface);
        if (surface.step() > 1) {
            lookNear(3 * surface.step());
        }
    }

    /** The reason to doubt the displacement. */
    Doubt doubt() {
        return doubt;
    }

    /** The largest factor of a rival, as it compares with the measured one. */
    double strongest() {
        return strongest;
    }

    private void lookNear(int reach) {
        Window all = Window.around(dx, dy, reach, reach).intersect(window);
        if (all.isEmpty()) {
            return;
        }
        near.start(all, 1);
        int rowStep = CrossCorrelation.rowStep(CrossCorrelation.sharedPixels(from, dx, dy), GLANCE);
        for (int y = all.minDy(); y <= all.maxDy(); y++) {
            for (int x = all.minDx(); x <= all.maxDx(); x++) {
                near.setAt(x, y, CrossCorrelation.factor(from, to, x, y, rowStep));
            }
        }
        look(near);
    }

    private void look(Surface surface) {
        coarse = surface.step() / 2;
        count[0] = 0;
        count[1] = 0;
        strongest = Math.max(strongest, surface.rivals(from, dx, dy, this));
        for (int kind = 0; kind < 2; kind++) {
            for (int i = kind * HILLS; i < kind * HILLS + count[kind]; i++) {
                approach(hillDx[i], hillDy[i], coarse == 0 ? 1 : 8);
            }
        }
    }

    @Override
    public void addHill(int atDx, int atDy, double comparable, boolean narrow) {
        int kind = narrow ? 1 : 0;
        int slot = kind * HILLS + count[kind];
        if (count[kind] < HILLS) {
            count[kind]++;
        } else {
            slot = kind * HILLS;
            for (int i = slot; i < (kind + 1) * HILLS; i++) {
                slot = hillRank[i] < hillRank[slot] ? i : slot;
            }
            if (hillRank[slot] >= comparable) {
                return;
            }
        }
        hillDx[slot] = atDx;
        hillDy[slot] = atDy;
        hillRank[slot] = comparable;
    }

    @Override
    public void addPlace(int atDx, int atDy) {
        approach(atDx, atDy, 0);
    }

    /** Looks at the best displacement near a place of the surface, after {@code steps} steps of climbing. */
    private void approach(int nearDx, int nearDy, int steps) {
        int rowStep = CrossCorrelation.rowStep(CrossCorrelation.sharedPixels(from, nearDx, nearDy), QUICK);
        int bestDx = nearDx;
        int bestDy = nearDy;
        double best = Double.NEGATIVE_INFINITY;
        for (int y = nearDy - coarse; y <= nearDy + coarse; y++) {
            for (int x = nearDx - coarse; x <= nearDx + coarse; x++) {
                double found = isOther(x, y) ? CrossCorrelation.factor(from, to, x, y, rowStep) : Double.NaN;
                if (found > best) {
                    best = found;
                    bestDx = x;
                    bestDy = y;
                }
            }
        }
        if (steps > 0 && best >= WORTH_A_CLIMB * factor) {
            climb.start(from, to, bestDx, bestDy, window, steps);
            bestDx = climb.dx();
            bestDy = climb.dy();
            best = climb.factor();
        }
        if (isOther(bestDx, bestDy) && best > 0) {
            visit(bestDx, bestDy, best);
        }
    }

    private boolean isOther(int atDx, int atDy) {
        return window.contains(atDx, atDy)
                && (Math.abs(atDx - dx) >= Evidence.RING || Math.abs(atDy - dy) >= Evidence.RING);
    }

    private void visit(int atDx, int atDy, double quick) {
        boolean nearer = doubt.isNone() || distance(atDx - dx, atDy - dy) < distance(doubt.x(), doubt.y());
        if (quick < WORTH_A_LOOK * factor || !nearer) {
            return;
        }
        double rival = peak(atDx, atDy);
        if (!alike(rival, ALIKE_HILLS, OTHER_HILLS)) {
            return;
        }
        boolean apart = isApart(atDx, atDy, rival);
        if (!apart && !alike(rival, ALIKE_PLACES, OTHER_PLACES)) {
            return;
        }
        boolean repeats = repeats(atDx - dx, atDy - dy);
        if (repeats || isSignificant(atDx, atDy, rival)) {
            doubt = apart && repeats
                    ? period(atDx - dx, atDy - dy)
                    : new Doubt(apart ? Kind.AMBIGUOUS : Kind.SLIDES, atDx - dx, atDy - dy);
        }
    }

    private static long distance(int x, int y) {
        return (long) x * x + (long) y * y;
    }

    private boolean alike(double rival, double part, double unexplained) {
        double here = Math.max(1e-6, 1 - factor * factor);
        return rival >= part * factor && 1 - rival * rival < unexplained * here;
    }

    /** Returns true if a valley lies between the measured displacement and another one. */
    private boolean isApart(int atDx, int atDy, double rival) {
        int steps = Math.clamp(Math.max(Math.abs(atDx - dx), Math.abs(atDy - dy)), 2, 16);
        double low = VALLEY * Math.min(factor, rival);
        for (int i = 1; i < steps; i++) {
            int x = dx + Math.round((atDx - dx) * (float) i / steps);
            int y = dy + Math.round((atDy - dy) * (float) i / steps);
            int rowStep = CrossCorrelation.rowStep(CrossCorrelation.sharedPixels(from, x, y), QUICK);
            if (!(CrossCorrelation.factor(from, to, x, y, rowStep) >= low)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if the measured overlap is similar to itself under a shift, in both tiles. */
    private boolean repeats(int x, int y) {
        int width = from.width() - Math.abs(dx);
        int height = from.height() - Math.abs(dy);
        double first = CrossCorrelation.ofItself(from, Math.max(0, dx), Math.max(0, dy), width, height, x, y, CAREFUL);
        double second = CrossCorrelation.ofItself(to, Math.max(0, -dx), Math.max(0, -dy), width, height, x, y, CAREFUL);
        return alike(Math.min(first, second), ALIKE_HILLS, OTHER_HILLS);
    }

    /** The doubt of a period: the smallest part of a shift under which the overlap is similar to itself. */
    private Doubt period(int x, int y) {
        for (int parts = 12; parts > 1; parts--) {
            int partX = Math.round(x / (float) parts);
            int partY = Math.round(y / (float) parts);
            boolean other = Math.abs(partX) >= Evidence.RING || Math.abs(partY) >= Evidence.RING;
            if (other && repeats(partX, partY)) {
                return new Doubt(Kind.PERIODIC, partX, partY);
            }
        }
        return new Doubt(Kind.PERIODIC, x, y);
    }

    /** Returns true if the agreement of the pixels is too good for chance. */
    private boolean isSignificant(int atDx, int atDy, double rival) {
        if (Double.isNaN(texture)) {
            texture = evidence.textureArea(from, dx, dy);
        }
        long pixels = CrossCorrelation.sharedPixels(from, atDx, atDy);
        double unexplained = Math.max(1e-6, 1 - rival * rival);
        return -0.5 * pixels / texture * Math.log(unexplained) >= CHANCE;
    }

    /** The height of the parabolas through the factors at and around a displacement, which lies between pixels. */
    private double peak(int atDx, int atDy) {
        int rowStep = CrossCorrelation.rowStep(CrossCorrelation.sharedPixels(from, atDx, atDy), CAREFUL);
        double here = CrossCorrelation.factor(from, to, atDx, atDy, rowStep);
        double gain = gain(
                        CrossCorrelation.factor(from, to, atDx - 1, atDy, rowStep),
                        here,
                        CrossCorrelation.factor(from, to, atDx + 1, atDy, rowStep))
                + gain(
                        CrossCorrelation.factor(from, to, atDx, atDy - 1, rowStep),
                        here,
                        CrossCorrelation.factor(from, to, atDx, atDy + 1, rowStep));
        return Math.min(1, here + gain);
    }

    private static double gain(double before, double here, double after) {
        double bend = before - 2 * here + after;
        double slope = before - after;
        return bend < 0 && before <= here && after <= here ? -slope * slope / (8 * bend) : 0;
    }
}
