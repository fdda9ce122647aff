package dev.jacquard.expressions.time;

import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search for the longest stable step of linearised rates: first by bounds of the eigenvalues, which cost a few
 * evaluations of the rates and prove a step, then by the eigenvalues of the matrix that {@link Krylov some states} see.
 *
 * <p>Confined to one thread, which the workers help.
 */
final class StepSearch {
    /** The share of the step that the outermost eigenvalues found allow: the matrix has eigenvalues farther out. */
    private static final double MARGIN = 0.95;
    /** The share where bounds show that no eigenvalue is farther out: real parts are found a little wrong. */
    private static final double LARGEST_MARGIN = 0.98;
    /** The least share, of Euler's method, where eigenvalues within decide, which are found badly. */
    private static final double LEAST_MARGIN = 0.6;
    /** A step that bounds prove is the result if it is this share of the step that is found so far, which shrinks. */
    private static final double ENOUGH = 0.91;
    /** The numbers of states after which the eigenvalues are looked at. */
    private static final List<Integer> LOOKS = List.of(8, 14, 22, 36, Krylov.STATES);
    /** The states after which a given step is taken for stable that is far from the longest that they allow. */
    private static final int EARLY = 14;
    /** How far: the step that the states allow, by the given one. */
    private static final double FAR = 2.5;
    /** The largest imaginary part of rates that hardly swing, by the largest magnitude. */
    private static final double STILL = 0.02;
    /** The decay of the shortest waves, by the growth of others, with which a rate that reaches far lets these grow. */
    private static final double DECAY = 4;

    private final Grid grid;
    private final Components components;
    private final StabilityRegion region;
    private final boolean isSingle;
    /** Of the last search that looked at states, for a given step; null for none. */
    private @Nullable Known known;

    /** The outcome of a search. */
    sealed interface Outcome {
        /**
         * The longest step.
         *
         * @param step infinity if each is stable
         * @param fastest the first point where a rate has the largest derivatives
         */
        record Stable(double step, int[] fastest) implements Outcome {}

        /**
         * No step is stable.
         *
         * @param component the number of the field that grows
         * @param at a point of it
         */
        record Unstable(Cause cause, int component, int[] at) implements Outcome {}
    }

    /** The outcome for a given step: another look with nearly the same sums of rows would find the same. */
    private record Known(List<RowSums> rows, double given, Outcome.Stable outcome) {
        /** How far sums may be from those then, and how much longer the step was that was found then. */
        private static final double SHARE = 0.05;

        private static final double LONGER = 1.5;

        boolean holds(List<RowSums> now, double its) {
            if (its != given || outcome.step() < LONGER * its) {
                return false;
            }
            for (int i = 0; i < now.size(); i++) {
                if (!now.get(i).isLike(rows.get(i), SHARE)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The reasons for which no step is stable. */
    enum Cause {
        /** Waves grow by themselves, whatever the method. */
        GROWTH,
        /** Waves grow by themselves, and the shorter the faster. */
        RISING_GROWTH,
        /** Waves swing without decay, and the method lets them grow. */
        SWING,
        /** A derivative of the rate is infinite, or no number. */
        NO_DERIVATIVE
    }

    StepSearch(Grid grid, Components components, StabilityRegion region) {
        this.grid = grid;
        this.components = components;
        this.region = region;
        this.isSingle = grid.type() == DataType.FLOAT32;
    }

    /**
     * Searches.
     *
     * @param rates at the values of now
     * @param enough a step that is as good as any longer one
     */
    Outcome run(KernelContext context, Linearised rates, double enough) throws Exception {
        List<RowSums> rows = rates.rowSums(context);
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i).notFinite.length > 0) {
                return new Outcome.Unstable(Cause.NO_DERIVATIVE, i, rows.get(i).notFinite);
            }
        }
        RowBounds bounds = new RowBounds(rows);
        double proven = bounds.step(region, isSingle ? 1e-5 : 1e-9);
        if (proven >= enough || bounds.radius() == 0) {
            return new Outcome.Stable(bounds.radius() == 0 ? Double.POSITIVE_INFINITY : proven, bounds.fastest());
        }
        Known before = known;
        if (before != null && before.holds(rows, enough)) {
            return new Outcome.Stable(before.outcome.step(), bounds.fastest());
        }
        Outcome found = look(context, rates, enough, rows, bounds, proven);
        known = found instanceof Outcome.Stable stable && enough < Double.POSITIVE_INFINITY
                ? new Known(rows, enough, stable)
                : null;
        return found;
    }

    private Outcome look(
            KernelContext context, Linearised rates, double enough, List<RowSums> rows, RowBounds bounds, double proven)
            throws Exception {
        States states = new States(grid, components, bounds.units());
        try (Arena arena = Arena.ofShared()) {
            Krylov krylov = new Krylov(states, rates::product, arena, isSingle ? 1e-5 : 1e-10);
            krylov.begin(context, new StartWaves(states));
            for (int look : LOOKS) {
                while (krylov.count() < look && !krylov.isWhole()) {
                    if (!krylov.next(context)) {
                        return new Outcome.Unstable(Cause.NO_DERIVATIVE, 0, rows.getFirst().largest);
                    }
                }
                boolean isLast = krylov.isWhole() || look == Krylov.STATES;
                Look its = new Look(krylov, rows, bounds, proven);
                if (look >= EARLY && its.isFarFrom(enough)) {
                    return new Outcome.Stable(LEAST_MARGIN * its.spectrum.step(), bounds.fastest());
                }
                Outcome found = its.outcome(isLast);
                if (found != null) {
                    return found;
                }
            }
        }
        throw new IllegalStateException("a search without a last look");
    }

    /** A look at the eigenvalues that some states see. */
    private final class Look {
        private final Krylov krylov;
        private final List<RowSums> rows;
        private final RowBounds bounds;
        private final double proven;
        private final double[][] square;
        private final double rest;
        private final Spectrum spectrum;

        Look(Krylov krylov, List<RowSums> rows, RowBounds bounds, double proven) {
            this.krylov = krylov;
            this.rows = rows;
            this.bounds = bounds;
            this.proven = proven;
            double[][] matrix = krylov.matrix();
            int count = krylov.count();
            rest = matrix[count][count - 1];
            square = new double[count][];
            System.arraycopy(matrix, 0, square, 0, count);
            double[][] values = ComplexMatrix.eigenvalues(square);
            double little = (isSingle ? 1e-2 : 1e-4) * bounds.radius();
            spectrum = new Spectrum(values, region, little, i -> residual(values[0][i], values[1][i]));
        }

        /**
         * Returns true if a step is surely stable: no eigenvalue that the bounds allow is too large for it, at least on
         * the real axis, and the eigenvalues that are seen allow a far longer one. By Euler's method slow swings may
         * need a shorter step than fast decay, and are seen late.
         */
        boolean isFarFrom(double given) {
            return given * bounds.radius() <= MARGIN * region.step(-1, 0)
                    && FAR * given <= spectrum.step()
                    && (region.order() > 1 || spectrum.swing() <= STILL * spectrum.radius())
                    && growth() == null;
        }

        /** Returns the outcome; null if more states may change it. */
        @Nullable
        Outcome outcome(boolean isLast) {
            if (proven > 0 && (isLast || ENOUGH * spectrum.step() <= proven)) {
                return new Outcome.Stable(Math.max(proven, isLast ? margin() * spectrum.step() : 0), bounds.fastest());
            }
            if (!isLast) {
                return null;
            }
            Cause growth = growth();
            if (growth != null) {
                int field = field(spectrum.fastest());
                int[] at = rows.get(field).shortGrowth;
                return new Outcome.Unstable(growth, field, at.length > 0 ? at : rows.get(field).largest);
            }
            if (spectrum.step() * spectrum.radius() < region.leastUseful()) {
                int field = field(spectrum.critical());
                return new Outcome.Unstable(Cause.SWING, field, rows.get(field).largest);
            }
            return new Outcome.Stable(margin() * spectrum.step(), bounds.fastest());
        }

        private double margin() {
            int critical = spectrum.critical();
            if (krylov.isWhole() || critical < 0) {
                return 1 - 1e-9;
            }
            if (spectrum.size(critical) >= 0.9 * spectrum.radius()) {
                return Math.clamp(spectrum.radius() / bounds.radius(), MARGIN, LARGEST_MARGIN);
            }
            if (region.order() > 1) {
                return MARGIN;
            }
            double residual = residual(spectrum.re(critical), spectrum.im(critical));
            return Math.clamp(1 - residual / spectrum.size(critical), LEAST_MARGIN, MARGIN);
        }

        /** Returns how far the derivative along the eigenvector of norm 1 is from the eigenvalue times that vector. */
        private double residual(double re, double im) {
            double[][] vector = ComplexMatrix.eigenvector(square, re, im);
            int last = square.length - 1;
            return rest * Math.hypot(vector[0][last], vector[1][last]);
        }

        /** Returns the number of the field that has the greatest part in an eigenvector. */
        private int field(int number) {
            double[][] vector = ComplexMatrix.eigenvector(square, spectrum.re(number), spectrum.im(number));
            double[] shares = krylov.shares(vector);
            int most = 0;
            for (int i = 1; i < shares.length; i++) {
                most = shares[i] > shares[most] ? i : most;
            }
            return most;
        }

        /**
         * Returns why disturbances grow that are no model's: faster than a field that is alike at all points, without
         * fourth derivatives that bound it; null if they do not. The shortest waves tell of a small negative
         * diffusivity in a flow.
         */
        private @Nullable Cause growth() {
            double uncertain = krylov.isWhole() ? 1e-3 : 0.03;
            double fastest = spectrum.growth();
            double shortest = Double.NEGATIVE_INFINITY;
            boolean areShort = false;
            for (int i = 0; i < rows.size(); i++) {
                RowSums row = rows.get(i);
                double little = 1e-4 * row.size[i];
                shortest = Math.max(shortest, row.fastestShort);
                areShort |= row.meanShort > Math.max(0, row.meanLong) + little
                        && row.meanShort + row.meanLong > little
                        && fastest > 0.7 * row.meanShort;
            }
            boolean areFast = fastest > bounds.growth() + uncertain * spectrum.radius();
            if (areShort) {
                return Cause.RISING_GROWTH;
            }
            if (!areFast || (reachesFar() && shortest < -DECAY * fastest)) {
                return null;
            }
            return shortest >= fastest * (1 - uncertain) ? Cause.RISING_GROWTH : Cause.GROWTH;
        }
    }

    /** Returns true if two cells or more are between some of a derivative, as for one of the fourth order. */
    private boolean reachesFar() {
        List<Element> all = new ArrayList<>();
        components.all().forEach(one -> {
            for (int i = 0; i < components.all().size(); i++) {
                all.addAll(one.body().elements(i));
            }
        });
        return all.stream().anyMatch(one -> Math.abs(one.dx()) > 1 || Math.abs(one.dy()) > 1 || Math.abs(one.dz()) > 1);
    }
}
