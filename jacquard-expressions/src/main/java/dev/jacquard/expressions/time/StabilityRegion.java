package dev.jacquard.expressions.time;

/**
 * The numbers z for which a method with as many stages as its order does not let {@code u' = z·u} grow in a step of
 * length 1: where the first terms of the exponential series are at most 1. Immutable.
 *
 * <p>Source: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.2.
 */
final class StabilityRegion {
    private static final double FARTHEST = 4;
    private static final int HALVINGS = 60;
    /** The steps that are looked at for a rate that grows, before the longest is searched for. */
    private static final int LOOKS = 64;

    /** The distance below which a border is at 0: growth that rounding hides in one step is seen after many. */
    private static final double TINY = 1e-3;

    /** The directions in which the border is compared with a circle. */
    private static final int DIRECTIONS = 256;

    private final int order;
    /** The radius of the largest circle that touches the imaginary axis in 0, and leaves the region nowhere. */
    private final double circle;

    StabilityRegion(int order) {
        this.order = order;
        double largest = FARTHEST;
        for (int i = 1; i <= DIRECTIONS; i++) {
            double angle = Math.PI / 2 * i / DIRECTIONS; // from the imaginary axis on
            double chord = 2 * Math.sin(angle); // of a circle of radius 1
            largest = Math.min(largest, step(-Math.sin(angle), Math.cos(angle)) / chord);
        }
        circle = largest;
    }

    /** Returns the order of the method. */
    int order() {
        return order;
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

    /** Returns a step that is not too long for any rates in the circle around {@code -radius}, of that radius. */
    double stepOfCircle(double radius) {
        return circle / radius;
    }

    /** Returns the longest step for a rate with a real part not above 0; infinity for the rate 0, and 0 for none. */
    double step(double re, double im) {
        double size = Math.hypot(re, im);
        double inside = 0;
        double outside = FARTHEST;
        // The border is left once on the way out: from 0 on the region is star-shaped to the left.
        for (int i = 0; i < HALVINGS && size > 0; i++) {
            double middle = (inside + outside) / 2;
            if (growth(middle * re / size, middle * im / size) <= 1) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        return size == 0 ? Double.POSITIVE_INFINITY : inside < TINY ? 0 : inside / size;
    }

    /**
     * Returns the longest step for a rate with a real part above 0, for which {@code u} grows by the method no faster
     * than at a given rate; infinity if all are, and 0 for none.
     */
    double growingStep(double re, double im, double rate) {
        double size = Math.hypot(re, im);
        int looks = 1;
        while (looks <= LOOKS && isWithin(re / size, im / size, rate / size, looks * FARTHEST / LOOKS)) {
            looks++;
        }
        if (looks > LOOKS) {
            return Double.POSITIVE_INFINITY;
        }
        double inside = (looks - 1) * FARTHEST / LOOKS;
        double outside = looks * FARTHEST / LOOKS;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (inside + outside) / 2;
            if (isWithin(re / size, im / size, rate / size, middle)) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        return inside < TINY ? 0 : inside / size;
    }

    private boolean isWithin(double re, double im, double rate, double step) {
        return Math.log(growth(step * re, step * im)) <= 2 * step * rate;
    }

    /**
     * Returns the least product of a useful step and the largest rate: where the border touches the imaginary axis in 0
     * alone, rates near the axis need shorter ones.
     */
    double leastUseful() {
        return switch (order) {
            case 1 -> 0.02;
            case 2 -> 0.2;
            default -> TINY;
        };
    }
}
