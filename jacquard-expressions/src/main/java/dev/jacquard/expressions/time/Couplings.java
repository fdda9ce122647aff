package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.memory.data.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The changes of waves of fields that advance together: for each wave a matrix of complex numbers. Of one field that is
 * a number, of two the eigenvalues are known; those of more lie in circles around the diagonal, with radii that are the
 * least for fields of any units.
 *
 * <p>Confined to one thread.
 *
 * <p>Source: Golub and Van Loan, Matrix Computations, section 7.2.1 (Gershgorin's circles); Osborne, On
 * Pre-Conditioning of Matrices, Journal of the ACM 7 (1960).
 */
final class Couplings {
    private static final int SWEEPS = 12;
    /** The change of a row or a column by which it is balanced: a radius a little too large is safe. */
    private static final double BALANCED = 1.01;
    /**
     * The part of the greatest rate at which short waves of two fields may grow together: derivatives of a cell that
     * are taken for those of all have some such part where they vary.
     */
    private static final double GROWN = 0.1;
    /**
     * The least decay, as a part of the swing, of long waves that the method must not let grow. Where one of two fields
     * flows, some decay less, or grow, as the solution does: for them no step would be short enough.
     */
    private static final double DECAY = 0.01;

    private final StabilityRegion region;
    private final boolean isEuler;
    private final int count;
    private final double rounding;
    /** True if the derivatives depend on the fields that advance: then those of now are not those of later. */
    private final boolean varies;

    private final Waves[][] waves;
    /** Of each field by itself; none but for Euler's method. */
    private final List<LongWaves> longWaves = new ArrayList<>();

    private final boolean[][] isLocal;
    /** True if fields act on others in their own cell alone: then all waves have the same circles around them. */
    private final boolean actsLocally;

    private double[][][] derivatives = {};
    private double[][] evens = {};
    /** True if some of the even parts are not the derivatives themselves, but means with those of neighbours. */
    private boolean hasMeans;

    private double size;
    /** The radius of all circles where fields act locally; else no number. */
    private double localRadius;

    private int least = -1;
    private boolean grows;
    /** True if of the waves that grow the shortest grow fastest. */
    private boolean rises;

    /** A circle in which changes lie. */
    private record Circle(double re, double im, double radius) {}

    Couplings(StabilityRegion region, Grid grid, List<List<Jacobian>> all, boolean varies) {
        this.region = region;
        this.isEuler = region.order() == 1;
        this.count = all.size();
        this.rounding = grid.type() == ElementType.FLOAT32 ? 1e-5 : 1e-9;
        this.varies = varies;
        this.waves = new Waves[count][count];
        this.isLocal = new boolean[count][count];
        List<Element> distances = all.stream()
                .flatMap(List::stream)
                .flatMap(one -> one.distances().stream())
                .toList();
        // Of one field the limit for ever longer waves is known.
        List<double[]> phases = Waves.phases(grid.dimensions(), distances, isEuler && count > 1);
        boolean local = true;
        for (int p = 0; p < count; p++) {
            if (isEuler) {
                longWaves.add(new LongWaves(grid.dimensions(), all.get(p).get(p).distances(), rounding));
            }
            for (int q = 0; q < count; q++) {
                waves[p][q] = new Waves(phases, all.get(p).get(q).distances(), rounding);
                isLocal[p][q] = waves[p][q].isLocal();
                local &= p == q || isLocal[p][q];
            }
        }
        this.actsLocally = local;
    }

    /** Returns the number of the first field whose rate has a derivative that is infinite, or no number; else -1. */
    static int notFinite(double[][][] its) {
        for (int p = 0; p < its.length; p++) {
            for (double[] one : its[p]) {
                if (!Double.isFinite(Waves.size(one))) {
                    return p;
                }
            }
        }
        return -1;
    }

    /**
     * Takes the derivatives of a cell, of each rate by each field: finite numbers.
     *
     * @return the number of a field whose short waves grow by themselves; -1 if there is none
     */
    int set(double[][][] its, List<EvenPart> parts, int x) {
        derivatives = its;
        evens = new double[count][];
        hasMeans = false;
        size = 0;
        for (int p = 0; p < count; p++) {
            for (double[] one : its[p]) {
                size += Waves.size(one);
            }
            evens[p] = its[p][p];
            if (waves[p][p].grow(evens[p])) {
                evens[p] = parts.get(p).at(x, its[p][p]);
                hasMeans = true;
                if (waves[p][p].grow(evens[p])) {
                    evens[p] = parts.get(p).column(x);
                    if (!decays(waves[p][p], its[p][p], evens[p], parts.get(p).self(x))) {
                        rises = waves[p][p].rise(its[p][p]);
                        return p;
                    }
                }
            }
        }
        return -1;
    }

    /**
     * Returns true if by a cell's column short waves do not grow, of a rate that may grow by its row: a matrix and its
     * transpose have the same eigenvalues. No cell around must make itself grow, as one does where a negative
     * diffusivity is between others, unless by little beside the flow, and all waves alike.
     *
     * @param self the most that one does
     */
    private boolean decays(Waves its, double[] row, double[] column, double self) {
        double own = its.own() < 0 ? 0 : row[its.own()];
        double most = Waves.size(row);
        boolean isFlat = Math.abs(its.cosine(0, column) - own) <= rounding * most;
        return !its.grow(column) && (self <= rounding * most || (self <= GROWN * most && isFlat));
    }

    /** Returns true if the step depends on derivatives of the cells around, too. */
    boolean dependsOnNeighbours() {
        return hasMeans;
    }

    /**
     * Returns a step that is not too long for a cell's derivatives, and mostly as long as can be: what {@link #step}
     * gives is at least that. 0 where that takes more than to look at signs. A field that goes towards a mean of its
     * neighbours changes at rates in the circle that touches the imaginary axis, around the derivative by the cell
     * itself: so is diffusion, with or without upwind convection.
     */
    double safeStep(double[][][] its) {
        int own = count == 1 ? waves[0][0].own() : -1;
        if (own < 0) {
            return 0;
        }
        double others = 0;
        double[] by = its[0][0];
        for (int i = 0; i < by.length; i++) {
            if (i != own) {
                if (!(by[i] >= 0)) {
                    return 0;
                }
                others += by[i];
            }
        }
        return others <= -by[own] * (1 + rounding) ? region.stepOfCircle(-by[own]) : 0;
    }

    /**
     * Returns the longest step that lets no wave grow; 0 or less if there is none.
     *
     * @param enough a step that is as good as any longer one
     */
    double step(double enough) {
        least = -1;
        grows = false;
        if (size == 0) {
            return Double.POSITIVE_INFINITY;
        }
        if (!Double.isFinite(size)) {
            return 0;
        }
        double step = Double.POSITIVE_INFINITY;
        for (int p = 0; p < longWaves.size(); p++) {
            step = less(step, longWaves.get(p).limit(evens[p], derivatives[p][p]), p);
        }
        localRadius = count > 2 && actsLocally ? radius(0) : Double.NaN;
        List<Circle> same = circles(0);
        double growth = Math.max(0, same.stream().mapToDouble(Circle::re).max().orElse(0));
        // What oscillates alike in all cells, and at another rate soon, is for the user to resolve.
        double swing = varies
                ? same.stream()
                        .mapToDouble(one -> Math.abs(one.im) + one.radius)
                        .max()
                        .orElse(0)
                : 0;
        double most = 0; // that short waves grow
        double shortest = 0;
        double greatest = 0;
        for (int wave = 0; wave < waves[0][0].count(); wave++) {
            List<Circle> all = wave == 0 ? same : circles(wave);
            for (int p = 0; p < all.size(); p++) {
                Circle one = all.get(p);
                boolean lasts = wave > 0 && !waves[0][0].isShort(wave) && growth - one.re < DECAY * Math.abs(one.im);
                step = lasts ? step : less(step, step(one, growth, swing), p);
                greatest = Math.max(greatest, Math.hypot(one.re, one.im));
                most = waves[0][0].isShort(wave) ? Math.max(most, one.re) : most;
                shortest = waves[0][0].isShortest(wave) ? Math.max(shortest, one.re) : shortest;
            }
        }
        grows = count == 2 && most - growth > GROWN * greatest && most - Math.max(growth, fastest()) > GROWN * greatest;
        rises = shortest >= most * (1 - rounding);
        if (isEuler && count == 1 && step > 0) {
            step = less(step, longWaves.getFirst().decaying(evens[0], derivatives[0][0], step, enough), 0);
        }
        return grows ? 0 : step;
    }

    /**
     * Returns the fastest growth of a field by itself. No faster is that of two which only diffuse and react, whatever
     * their diffusivities: where one of them spreads fast the other is as good as alone.
     */
    private double fastest() {
        double fastest = 0;
        for (int wave = 0; wave < waves[0][0].count(); wave++) {
            for (int p = 0; p < count; p++) {
                fastest = Math.max(fastest, waves[p][p].cosine(wave, evens[p]));
            }
        }
        return fastest;
    }

    /** Returns true if of the waves that were found to grow the shortest grow fastest. */
    boolean risesToTheShortest() {
        return rises;
    }

    /** Returns true if there was no step since waves of both fields, of which none grows by itself, grow together. */
    boolean growsTogether() {
        return grows;
    }

    /**
     * Returns a step that is not too long for a cell whose derivatives were set; 0 where that takes more than a look.
     */
    double shortStep() {
        if (count > 1) {
            return 0;
        }
        double re = Waves.size(evens[0]) + Math.max(0, waves[0][0].cosine(0, evens[0]));
        double step = region.stepOfSize(Math.hypot(re, size));
        return step > 0 ? step : 0; // no number where a neighbour has no derivatives
    }

    /** Returns the number of the field that the last step is that of. */
    int least() {
        return least;
    }

    private double less(double step, double other, int field) {
        if (other < step) {
            least = field;
            return other;
        }
        return step;
    }

    private double step(Circle one, double growth, double swing) {
        double re = round(one.re - growth);
        // A wave of one field that may grow, see Waves.grow, and swings: the method may add as much again.
        re = count == 1 ? -Math.abs(re) : Math.min(0, re);
        double im = round(Math.max(0, Math.abs(one.im) - swing));
        double step = region.step(re, im);
        if (one.radius > 0) {
            double far = round(Math.max(0, Math.abs(one.im) + one.radius - swing));
            step = Math.min(step, region.step(re - one.radius, im));
            step = Math.min(step, region.step(re, far));
        }
        return step;
    }

    private double round(double value) {
        return Math.abs(value) < rounding * size ? 0 : value;
    }

    private List<Circle> circles(int wave) {
        double[] re = new double[count];
        double[] im = new double[count];
        for (int p = 0; p < count; p++) {
            re[p] = waves[p][p].cosine(wave, evens[p]);
            im[p] = waves[p][p].sine(wave, derivatives[p][p]);
        }
        if (count == 1) {
            return List.of(new Circle(re[0], im[0], 0));
        }
        if (count == 2) {
            return eigenvalues(wave, re, im);
        }
        double radius = actsLocally ? localRadius : radius(wave);
        List<Circle> all = new ArrayList<>();
        for (int p = 0; p < count; p++) {
            all.add(new Circle(re[p], im[p], radius));
        }
        return all;
    }

    private double re(int wave, int p, int q) {
        return waves[p][q].cosine(isLocal[p][q] ? 0 : wave, derivatives[p][q]);
    }

    private double im(int wave, int p, int q) {
        return isLocal[p][q] ? 0 : waves[p][q].sine(wave, derivatives[p][q]);
    }

    /** Returns true if the change of one field does not depend on the other. */
    private boolean isNone(int wave, int p, int q) {
        return re(wave, p, q) == 0 && im(wave, p, q) == 0;
    }

    /** Returns {@code (a + d)/2 ± √((a − d)²/4 + bc)}. */
    private List<Circle> eigenvalues(int wave, double[] re, double[] im) {
        if (isNone(wave, 0, 1) || isNone(wave, 1, 0)) { // each is that of one field, which is told of
            return List.of(new Circle(re[0], im[0], 0), new Circle(re[1], im[1], 0));
        }
        double halfRe = (re[0] - re[1]) / 2;
        double halfIm = (im[0] - im[1]) / 2;
        double bRe = re(wave, 0, 1);
        double bIm = im(wave, 0, 1);
        double cRe = re(wave, 1, 0);
        double cIm = im(wave, 1, 0);
        double x = halfRe * halfRe - halfIm * halfIm + bRe * cRe - bIm * cIm;
        double y = 2 * halfRe * halfIm + bRe * cIm + bIm * cRe;
        double rootSize = Math.sqrt(Math.hypot(x, y));
        double angle = Math.atan2(y, x) / 2;
        double rootRe = rootSize * Math.cos(angle);
        double rootIm = rootSize * Math.sin(angle);
        double middleRe = (re[0] + re[1]) / 2;
        double middleIm = (im[0] + im[1]) / 2;
        return List.of(
                new Circle(middleRe + rootRe, middleIm + rootIm, 0),
                new Circle(middleRe - rootRe, middleIm - rootIm, 0));
    }

    /**
     * Returns the radius of circles around the diagonal that hold the eigenvalues: the greatest sum of a row, after
     * rows and columns are scaled so that both have one sum. What only acts, or is only acted on, has no part in it.
     */
    private double radius(int wave) {
        double[][] sizes = new double[count][count];
        for (int p = 0; p < count; p++) {
            for (int q = 0; q < count; q++) {
                sizes[p][q] = p == q ? 0 : Math.hypot(re(wave, p, q), im(wave, p, q));
            }
        }
        boolean isBalanced = false;
        for (int sweep = 0; sweep < SWEEPS + count && !isBalanced; sweep++) {
            isBalanced = true;
            for (int p = 0; p < count; p++) {
                isBalanced &= balance(sizes, p);
            }
        }
        return Arrays.stream(sizes).mapToDouble(Waves::size).max().orElse(0);
    }

    /** Scales a row and its column; returns true if they were as good as balanced. */
    private static boolean balance(double[][] sizes, int p) {
        double row = Waves.size(sizes[p]);
        double column = 0;
        for (double[] other : sizes) {
            column += other[p];
        }
        double factor = row == 0 || column == 0 ? 0 : Math.sqrt(column / row);
        for (int q = 0; q < sizes.length; q++) {
            sizes[p][q] *= factor;
            sizes[q][p] *= factor == 0 ? 0 : 1 / factor;
        }
        return (row == 0 && column == 0) || (factor < BALANCED && factor > 1 / BALANCED);
    }
}
