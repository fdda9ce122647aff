package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * The least of the steps that the cells of a grid allow, and the first cell that allows none. Which thread looks at
 * which cells, and when, changes neither.
 *
 * <p>Threads: any.
 */
final class LeastStep {
    /** Derivatives that a thread has at a time, those of a row at least: they fit in a core's cache. */
    private static final int DERIVATIVES = 1 << 16;

    private final Grid grid;
    /** The derivatives of each rate by each field. */
    private final List<List<Jacobian>> all;

    private final StabilityRegion region;
    private final boolean varies;
    private final List<Set<Integer>> periodic;
    private final int rows;
    private final int blocksPerPlane;
    /** The looks of threads that are done with theirs, for others. */
    private final Queue<Look> idle = new ConcurrentLinkedQueue<>();

    private final DoubleAccumulator least = new DoubleAccumulator(Math::min, Double.POSITIVE_INFINITY);
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

    /**
     * A cell in which no step is stable.
     *
     * @param unknown the number of the field whose waves grow
     */
    record Failure(int unknown, Cause cause, int x, int y, int z) {
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

        private boolean isBefore(int toY, int toZ) {
            return z < toZ || (z == toZ && y < toY);
        }
    }

    /**
     * @param region of the method
     * @param varies true if the derivatives depend on the fields that advance
     * @param periodic the axes along which each field repeats itself
     */
    LeastStep(
            Grid grid, List<List<Jacobian>> all, StabilityRegion region, boolean varies, List<Set<Integer>> periodic) {
        this.grid = grid;
        this.all = all;
        this.region = region;
        this.varies = varies;
        this.periodic = periodic;
        long perRow = grid.cells(0)
                * all.stream()
                        .flatMap(List::stream)
                        .distinct()
                        .mapToLong(one -> one.distances().size())
                        .sum();
        this.rows = Math.clamp(DERIVATIVES / Math.max(1, perRow), 1, grid.cells(1));
        this.blocksPerPlane = Math.ceilDiv(grid.cells(1), rows);
    }

    /** Returns the number of blocks of cells. */
    long blocks() {
        return (long) blocksPerPlane * grid.cells(2);
    }

    /** Returns the step; infinity if all are stable. */
    double step() {
        return least.get();
    }

    /** Returns the first cell in which no step is stable. */
    Optional<Failure> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** Looks at some blocks of cells. */
    void look(long from, long to) {
        Look look = Optional.ofNullable(idle.poll()).orElseGet(Look::new);
        for (long block = from; block < to; block++) {
            int y = rows * (int) (block % blocksPerPlane);
            look.at(y, Math.min(y + rows, grid.cells(1)), (int) (block / blocksPerPlane));
        }
        idle.add(look);
    }

    private double fail(Failure found) {
        failure.accumulateAndGet(
                found, (known, other) -> known == null || other.isBefore(known.y, known.z) ? other : known);
        return 0;
    }

    /** The work on some cells, and the memory for it. Confined to one thread at a time. */
    private final class Look {
        private final Couplings couplings = new Couplings(region, grid, all, varies);
        private final List<EvenPart> evens = new ArrayList<>();
        private final Set<Jacobian.Rows> distinct = new LinkedHashSet<>();
        private final List<List<Jacobian.Rows>> derivatives = new ArrayList<>();
        /** The derivatives of this cell, and those of the last one that was not passed over. */
        private double[][][] now = room();

        private double[][][] last = room();
        private boolean isLastKnown;

        Look() {
            List<Jacobian> known = all.stream().flatMap(List::stream).distinct().toList();
            List<Jacobian.Rows> its = known.stream().map(one -> one.rows(rows)).toList();
            distinct.addAll(its);
            for (int p = 0; p < all.size(); p++) {
                derivatives.add(all.get(p).stream()
                        .map(one -> its.get(known.indexOf(one)))
                        .toList());
                evens.add(new EvenPart(grid, all.get(p).get(p), periodic.get(p)));
            }
        }

        private double[][][] room() {
            return all.stream()
                    .map(row -> row.stream()
                            .map(one -> new double[one.distances().size()])
                            .toArray(double[][]::new))
                    .toArray(double[][][]::new);
        }

        void at(int y0, int y1, int z) {
            distinct.forEach(one -> one.compute(y0, y1, z));
            for (int y = y0; y < y1; y++) {
                Failure known = failure.get();
                if (known != null && known.isBefore(y, z)) {
                    return;
                }
                for (EvenPart even : evens) {
                    even.row(y, z);
                }
                row(y, z);
            }
        }

        private void row(int y, int z) {
            double shortest = least.get();
            for (int x = 0; x < grid.cells(0); x++) {
                get(x, y);
                double safe = couplings.safeStep(now);
                if (safe >= shortest || (isLastKnown && isLast())) {
                    continue; // as in most cells of most problems
                }
                double step = step(x, y, z, safe, shortest);
                if (step == 0) {
                    return;
                }
                least.accumulate(step);
                shortest = Math.min(shortest, step);
                double[][][] room = last;
                last = now;
                now = room;
                isLastKnown = !couplings.dependsOnNeighbours();
            }
        }

        /**
         * Returns the step that a cell allows, or a shorter one that is not below {@code shortest}; 0 behind a failure.
         *
         * @param safe a step that is not too long; 0 if none is known
         */
        private double step(int x, int y, int z, double safe, double shortest) {
            int unknown = Couplings.notFinite(now);
            if (unknown >= 0) {
                return fail(new Failure(unknown, Failure.Cause.NO_DERIVATIVE, x, y, z));
            }
            unknown = couplings.set(now, evens, x);
            if (unknown >= 0) {
                return safe > 0 ? safe : fail(new Failure(unknown, growth(), x, y, z));
            }
            double known = Math.max(safe, couplings.shortStep());
            if (known >= shortest) {
                return known;
            }
            // All of them are safe, the one or the other the longest: else it mattered which cells were looked at
            // before.
            double step = Math.max(known, couplings.step(shortest));
            if (step > 0) {
                return step;
            }
            Failure.Cause cause = couplings.growsTogether() ? growth() : Failure.Cause.SWING;
            return fail(new Failure(Math.max(0, couplings.least()), cause, x, y, z));
        }

        private Failure.Cause growth() {
            return couplings.risesToTheShortest() ? Failure.Cause.RISING_GROWTH : Failure.Cause.GROWTH;
        }

        private boolean isLast() {
            for (int p = 0; p < now.length; p++) {
                for (int q = 0; q < now.length; q++) {
                    if (!Arrays.equals(now[p][q], last[p][q])) {
                        return false;
                    }
                }
            }
            return true;
        }

        private void get(int x, int y) {
            for (int p = 0; p < now.length; p++) {
                for (int q = 0; q < now.length; q++) {
                    derivatives.get(p).get(q).get(x, y, now[p][q]);
                }
            }
        }
    }
}
