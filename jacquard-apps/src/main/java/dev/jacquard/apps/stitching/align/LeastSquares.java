package dev.jacquard.apps.stitching.align;

import java.util.List;

/**
 * Positions that fit all links as well as possible: iteratively reweighted least squares, in which links that are off
 * by more than a pixel count less and less (Cauchy's weights), each step solved by conjugate gradients on the grid's
 * Laplacian.
 */
final class LeastSquares {
    private static final int REWEIGHTINGS = 8;
    /** The conjugate gradients end when the energy left could not move a tile by a thousandth of a pixel. */
    private static final double ENOUGH = 1e-14;

    private final int tiles;
    private final List<WeightedPair> links;
    private final double[] weights;

    LeastSquares(int tiles, List<WeightedPair> links) {
        this.tiles = tiles;
        this.links = links;
        this.weights = new double[links.size()];
    }

    /** Positions along one axis, {@code down} or to the right, beginning at {@code start}. */
    double[] solve(double[] start, boolean down) {
        double[] position = start.clone();
        for (int i = 0; i < REWEIGHTINGS; i++) {
            double[] pull = new double[tiles];
            for (int k = 0; k < weights.length; k++) {
                WeightedPair link = links.get(k);
                double miss = (down ? link.dy() : link.dx()) - (position[link.to()] - position[link.from()]);
                weights[k] = link.weight() / (1 + miss * miss);
                pull[link.to()] += weights[k] * miss;
                pull[link.from()] -= weights[k] * miss;
            }
            double[] shift = balance(pull);
            for (int tile = 0; tile < tiles; tile++) {
                position[tile] += shift[tile];
            }
        }
        return position;
    }

    /** The shift under which the links' tension takes up {@code pull}: conjugate gradients, scaled by the diagonal. */
    private double[] balance(double[] pull) {
        double[] shift = new double[tiles];
        double[] diagonal = diagonal();
        double[] residual = pull.clone();
        double[] direction = scaled(residual, diagonal);
        double energy = dot(residual, direction);
        for (int i = 0; i < 4 * tiles && energy > ENOUGH; i++) {
            double[] tension = tension(direction);
            double curvature = dot(direction, tension);
            if (!(curvature > 0)) {
                break; // Only rounding errors are left: they may shift all tiles alike, which costs nothing.
            }
            double step = energy / curvature;
            for (int tile = 0; tile < tiles; tile++) {
                shift[tile] += step * direction[tile];
                residual[tile] -= step * tension[tile];
            }
            double[] next = scaled(residual, diagonal);
            double left = dot(residual, next);
            for (int tile = 0; tile < tiles; tile++) {
                direction[tile] = next[tile] + left / energy * direction[tile];
            }
            energy = left;
        }
        return shift;
    }

    /** The weighted Laplacian times {@code shift}. */
    private double[] tension(double[] shift) {
        double[] tension = new double[tiles];
        for (int k = 0; k < weights.length; k++) {
            WeightedPair link = links.get(k);
            double pull = weights[k] * (shift[link.to()] - shift[link.from()]);
            tension[link.to()] += pull;
            tension[link.from()] -= pull;
        }
        return tension;
    }

    private double[] diagonal() {
        double[] diagonal = new double[tiles];
        for (int k = 0; k < weights.length; k++) {
            diagonal[links.get(k).from()] += weights[k];
            diagonal[links.get(k).to()] += weights[k];
        }
        return diagonal;
    }

    private static double[] scaled(double[] values, double[] diagonal) {
        double[] scaled = new double[values.length];
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = diagonal[i] > 0 ? values[i] / diagonal[i] : 0;
        }
        return scaled;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
