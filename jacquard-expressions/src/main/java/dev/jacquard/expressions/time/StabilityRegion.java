package dev.jacquard.expressions.time;

import java.util.Arrays;

/**
 * The numbers z for which a method with as many stages as its order does not let {@code u' = z·u} grow in a step of
 * length 1: where the first terms of the exponential series are at most 1. Immutable.
 *
 * <p>Source: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.2.
 */
final class StabilityRegion {
    /** Directions from the imaginary axis to the negative real one for which the radius is known. */
    private static final int DIRECTIONS = 1024;

    private static final double FARTHEST = 4;
    private static final int HALVINGS = 60;
    /** The distance below which a border is at 0: growth that rounding hides in one step is seen after many. */
    private static final double TINY = 1e-3;

    /** The distance from 0 to the border, by the part of the real axis in the direction: see {@link #place}. */
    private final double[] radii = new double[DIRECTIONS + 1];
    /** The radius of the largest circle that touches the imaginary axis in 0, and leaves the region nowhere. */
    private final double circle;
    /** The least of the distances to the border. */
    private final double least;

    private final int order;

    StabilityRegion(int order) {
        this.order = order;
        for (int i = 0; i <= DIRECTIONS; i++) {
            radii[i] = radius(i);
        }
        double largest = FARTHEST;
        for (int i = 1; i <= DIRECTIONS; i++) {
            double chord = i / Math.hypot(i, DIRECTIONS - i); // of a circle of diameter 1
            largest = Math.min(largest, radii[i] / (2 * chord));
        }
        circle = largest;
        least = Arrays.stream(radii).min().orElse(0);
    }

    /** Returns the order of the method. */
    int order() {
        return order;
    }

    private double radius(int place) {
        double size = Math.hypot(place, DIRECTIONS - place);
        double re = -place / size;
        double im = (DIRECTIONS - place) / size;
        double inside = 0;
        double outside = FARTHEST;
        // The border is left once on the way out: from 0 on the region is star-shaped to the left.
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (inside + outside) / 2;
            if (growth(middle * re, middle * im) <= 1) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        return inside < TINY ? 0 : inside;
    }

    /** Returns the square of the factor by which a step multiplies u. */
    private double growth(double x, double y) {
        double re = 1;
        double im = 0;
        for (int k = order; k >= 1; k--) { // Horner's scheme
            double next = 1 + (re * x - im * y) / k;
            im = (re * y + im * x) / k;
            re = next;
        }
        return re * re + im * im;
    }

    /** Returns the place of a direction: from 0 for the imaginary axis to the last one for the negative real axis. */
    private static double place(double re, double im) {
        double left = Math.max(0, -re);
        return left / (left + Math.abs(im)) * DIRECTIONS;
    }

    /** Returns a step that is not too long for any rate of that size whose real part is not above 0; 0 for none. */
    double stepOfSize(double size) {
        return size == 0 ? Double.POSITIVE_INFINITY : least / size;
    }

    /** Returns a step that is not too long for any rates in the circle around {@code -radius}, of that radius. */
    double stepOfCircle(double radius) {
        return circle / radius;
    }

    /** Returns the longest step for a rate whose real part is not above 0; infinity for 0. */
    double step(double re, double im) {
        double size = Math.sqrt(re * re + im * im);
        if (size == 0) {
            return Double.POSITIVE_INFINITY;
        }
        if (im == 0) {
            return radii[DIRECTIONS] / size;
        }
        double place = place(re, im);
        int index = (int) Math.clamp(place, 0, DIRECTIONS - 1);
        if (index == 0 && radii[0] == 0) {
            return place * radii[1] / size; // the border bends outwards
        }
        return Math.min(radii[index], radii[index + 1]) / size;
    }
}
