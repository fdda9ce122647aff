package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Refinement.Search;

/**
 * Phase 2 for one pair: looks at every displacement that the stage allows, on a part of the rows, climbs from the best
 * ones, and keeps the best of all. Wide windows, of stages of which nothing is known, are looked at on a lattice:
 * textures finer than that are found by phase correlation.
 *
 * <p>Owns its scratch memory: confined to one thread. The result depends on the arguments only.
 */
public final class Searcher {
    /** Pixels per displacement in the first look. */
    private static final int BUDGET = 8_000;
    /** Pixels that a first look may visit in all. */
    private static final long LOOK = 60_000_000L;
    /** The number of displacements to climb from. */
    private static final int CANDIDATES = 6;

    /** The distance from the window at which the top of a hill with its foot inside may lie. */
    private static final int OUTSIDE = 6;

    private final Evidence evidence = new Evidence();
    private final Climb climb = new Climb(Evidence.BUDGET);
    private final Surface factors = new Surface();
    private final Rivals rivals = new Rivals(evidence);
    private final int[] dx = new int[CANDIDATES];
    private final int[] dy = new int[CANDIDATES];
    private final double[] factor = new double[CANDIDATES];
    private int count;

    /** For one thread. */
    public Searcher() {}

    /** Measures the pair of {@code search} with the tiles {@code from} and {@code to}. */
    public Measurement run(Search search, GrayImage from, GrayImage to) {
        Window window = search.window;
        int lattice = look(window, from, to);
        int best = -1;
        for (int i = 0; i < count; i++) {
            climb.start(from, to, dx[i], dy[i], window.grown(OUTSIDE), 8 + 2 * lattice);
            dx[i] = climb.dx();
            dy[i] = climb.dy();
            factor[i] = comparable(climb.factor(), from, dx[i], dy[i]);
            if (best < 0 || factor[i] > factor[best]) {
                best = i;
            }
        }
        return best < 0 ? blank(search) : measurement(search, from, to, best);
    }

    private Measurement measurement(Search search, GrayImage from, GrayImage to, int best) {
        rivals.judge(factors, from, to, search.window.grown(OUTSIDE), dx[best], dy[best]);
        Measurement found =
                evidence.measurement(search.pair(), from, to, dx[best], dy[best], rivals.strongest(), rivals.doubt());
        double lead = found.certainty();
        for (int i = 0; i < count; i++) {
            lead = leadOver(found, lead, from, to, dx[i], dy[i]);
        }
        if (search.earlier.certain()) {
            lead = leadOver(found, lead, from, to, search.earlier.dx(), search.earlier.dy());
        }
        return new Measurement(
                search.pair(),
                found.dx(),
                found.dy(),
                found.correlation(),
                lead,
                found.partX(),
                found.partY(),
                found.doubt());
    }

    /** The smaller of {@code lead} and the lead over {@code (otherDx, otherDy)}, unless that is the same place. */
    private double leadOver(Measurement found, double lead, GrayImage from, GrayImage to, int otherDx, int otherDy) {
        boolean same = Math.abs(otherDx - found.dx()) < Evidence.RING && Math.abs(otherDy - found.dy()) < Evidence.RING;
        return same ? lead : Math.min(lead, evidence.over(from, to, found.dx(), found.dy(), otherDx, otherDy));
    }

    private static Measurement blank(Search search) {
        Measurement earlier = search.earlier;
        return Measurement.none(search.pair(), earlier.dx(), earlier.dy());
    }

    /** Collects candidates; returns the lattice's step. */
    private int look(Window window, GrayImage from, GrayImage to) {
        count = 0;
        int midDx = (window.minDx() + window.maxDx()) / 2;
        int midDy = (window.minDy() + window.maxDy()) / 2;
        long shared = CrossCorrelation.sharedPixels(from, midDx, midDy);
        int rowStep = CrossCorrelation.rowStep(shared, BUDGET);
        long visits = window.size() * Math.max(1, shared / rowStep);
        int lattice = (int) Math.ceil(Math.sqrt(Math.max(1, (double) visits / LOOK)));
        factors.start(window, lattice);
        for (int y = window.minDy(); y <= window.maxDy(); y += lattice) {
            for (int x = window.minDx(); x <= window.maxDx(); x += lattice) {
                double found = CrossCorrelation.factor(from, to, x, y, rowStep);
                factors.setAt(x, y, found);
                if (!Double.isNaN(found)) {
                    consider(x, y, comparable(found, from, x, y), Math.max(2, lattice));
                }
            }
        }
        return lattice;
    }

    private static double comparable(double found, GrayImage from, int atDx, int atDy) {
        return CrossCorrelation.comparable(found, CrossCorrelation.sharedPixels(from, atDx, atDy));
    }

    /** Keeps the best candidates, only the best one of all within {@code near} pixels. */
    private void consider(int atDx, int atDy, double found, int near) {
        int slot = -1;
        for (int i = 0; i < count; i++) {
            if (Math.abs(dx[i] - atDx) <= near && Math.abs(dy[i] - atDy) <= near) {
                slot = i;
            }
        }
        if (slot < 0 && count < CANDIDATES) {
            slot = count++;
            factor[slot] = -2;
        } else if (slot < 0) {
            slot = weakest();
        }
        if (found > factor[slot]) {
            dx[slot] = atDx;
            dy[slot] = atDy;
            factor[slot] = found;
        }
    }

    private int weakest() {
        int weakest = 0;
        for (int i = 1; i < count; i++) {
            if (factor[i] < factor[weakest]) {
                weakest = i;
            }
        }
        return weakest;
    }
}
