package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;

/**
 * Climbs from a displacement to the nearest maximum of the cross-correlation factor, a pixel at a time. Holds the best
 * displacement found since {@link #start}. Confined to one thread.
 */
final class Climb {
    private final int budget;
    private int dx;
    private int dy;
    private double factor;

    /** Rows are left out so that about {@code budget} pixels are looked at. */
    Climb(int budget) {
        this.budget = budget;
    }

    int dx() {
        return dx;
    }

    int dy() {
        return dy;
    }

    /** The factor where the climb ended, over as many rows as the budget allows; -1 when it is undefined everywhere. */
    double factor() {
        return factor;
    }

    /** Climbs from {@code (startDx, startDy)} within {@code window}, at most {@code steps} steps. */
    void start(GrayImage from, GrayImage to, int startDx, int startDy, Window window, int steps) {
        int rowStep = CrossCorrelation.rowStep(CrossCorrelation.sharedPixels(from, startDx, startDy), budget);
        dx = startDx;
        dy = startDy;
        factor = -1;
        visit(from, to, dx, dy, rowStep);
        for (int step = 0; step < steps; step++) {
            int x = dx;
            int y = dy;
            for (int i = 0; i < 9; i++) {
                int nearDx = x + i % 3 - 1;
                int nearDy = y + i / 3 - 1;
                if (i != 4 && window.contains(nearDx, nearDy)) {
                    visit(from, to, nearDx, nearDy, rowStep);
                }
            }
            if (dx == x && dy == y) {
                return;
            }
        }
    }

    private void visit(GrayImage from, GrayImage to, int atDx, int atDy, int rowStep) {
        double found = CrossCorrelation.factor(from, to, atDx, atDy, rowStep);
        if (found > factor) {
            factor = found;
            dx = atDx;
            dy = atDy;
        }
    }
}
