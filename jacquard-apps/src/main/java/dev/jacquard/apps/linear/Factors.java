package dev.jacquard.apps.linear;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.blas.Blases;
import dev.jacquard.numerics.blas.Operand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The factors of a square matrix, which solve systems with it. Immutable once they are made: any thread may use them.
 *
 * <p>They are made panel by panel, each step either the factors of one panel or their update of a later one.
 */
abstract sealed class Factors {
    private final Scaling scaling;

    Factors(Scaling scaling) {
        this.scaling = scaling;
    }

    /** Returns the number of unknowns. */
    int order() {
        return scaling.rows().length;
    }

    /** Returns the name of the factorisation. */
    abstract String method();

    /** Returns the number of panels. */
    abstract int panels();

    /** Factors a panel, after all updates of it. */
    abstract void panel(int panel);

    /** Changes a later panel by the factors of an earlier one. */
    abstract void update(int panel, int later);

    /** Solves a scaled system in the place of its right-hand side. */
    abstract void solveScaled(double[] x);

    /**
     * Returns the solution of {@code A x = b}, to about the precision of the factors.
     *
     * @throws IllegalArgumentException if {@code b} has not as many elements as there are unknowns
     */
    double[] solve(double[] b) {
        if (b.length != order()) {
            throw new IllegalArgumentException("a right-hand side of " + b.length + " elements for factors of order "
                    + order() + "; expected as many");
        }
        double[] x = new double[b.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = b[i] * scaling.rows()[i];
        }
        solveScaled(x);
        for (int i = 0; i < x.length; i++) {
            x[i] *= scaling.columns()[i];
        }
        return x;
    }

    /** Returns the panels. */
    abstract Panels<?> all();

    /** Returns the exchanges of rows, by row; none if there are no exchanges. */
    int[] exchanges() {
        return new int[0];
    }

    /** Writes the factors for {@link #read}. */
    void write(Codec.Output to) throws IOException {
        Panels<?> panels = all();
        boolean single = panels.elements() instanceof Elements.Singles;
        to.writeBoolean(this instanceof Lu<?>);
        to.writeBoolean(single);
        to.writeInt(panels.order());
        to.writeInt(panels.width());
        LinearCodecs.DOUBLES.write(scaling.rows(), to);
        LinearCodecs.DOUBLES.write(scaling.columns(), to);
        LinearCodecs.INDICES.write(exchanges(), to);
        for (Object array : panels.arrays()) {
            if (single) {
                LinearCodecs.SINGLES.write((float[]) array, to);
            } else {
                LinearCodecs.DOUBLES.write((double[]) array, to);
            }
        }
    }

    /**
     * Reads the output of {@link #write}.
     *
     * @throws IOException if it is none
     */
    static Factors read(Codec.Input from) throws IOException {
        boolean exchanges = from.readBoolean();
        return from.readBoolean()
                ? read(exchanges, new Elements.Singles(), LinearCodecs.SINGLES, from)
                : read(exchanges, new Elements.Doubles(), LinearCodecs.DOUBLES, from);
    }

    private static <A> Factors read(boolean exchanges, Elements<A> elements, Codec<A> type, Codec.Input from)
            throws IOException {
        int order = from.readInt();
        int width = from.readInt();
        Scaling scaling = new Scaling(LinearCodecs.DOUBLES.read(from), LinearCodecs.DOUBLES.read(from));
        int[] pivots = LinearCodecs.INDICES.read(from);
        if (order < 1
                || width < 1
                || scaling.rows().length != order
                || scaling.columns().length != order
                || pivots.length != (exchanges ? order : 0)) {
            throw new IOException("the bytes are no factors of order " + order);
        }
        List<A> arrays = new ArrayList<>();
        for (int first = 0; first < order; first += width) {
            arrays.add(type.read(from));
        }
        Panels<A> panels = new Panels<>(elements, order, width, List.copyOf(arrays));
        Blas library = Blases.open("auto");
        if (!exchanges) {
            return new Cholesky<>(scaling, panels, library);
        }
        Lu<A> lu = new Lu<>(scaling, panels, library);
        System.arraycopy(pivots, 0, lu.pivots, 0, order);
        return lu;
    }

    /** {@code L L^T} of a matrix that is symmetric and positive definite; above the diagonal stands nothing of use. */
    static final class Cholesky<A> extends Factors {
        private final Panels<A> panels;
        private final BlasRoutines<A> blas;

        Cholesky(Scaling scaling, Panels<A> panels, Blas library) {
            super(scaling);
            this.panels = panels;
            this.blas = panels.elements().routines(library);
        }

        @Override
        Panels<A> all() {
            return panels;
        }

        @Override
        String method() {
            return "cholesky";
        }

        @Override
        int panels() {
            return panels.count();
        }

        @Override
        void panel(int panel) {
            int first = panels.first(panel);
            int size = panels.size(panel);
            try {
                blas.potrf(Blas.Triangle.LOWER, size, panels.from(panel, first));
            } catch (Blas.IndefiniteMatrixException e) {
                throw new Blas.IndefiniteMatrixException(first + e.minor(), order());
            }
            int below = order() - first - size;
            if (below > 0) {
                blas.trsm(
                        Blas.Side.RIGHT,
                        Blas.Triangle.LOWER,
                        Blas.Transpose.YES,
                        Blas.Diagonal.NON_UNIT,
                        below,
                        size,
                        1,
                        panels.from(panel, first),
                        panels.from(panel, first + size));
            }
        }

        @Override
        void update(int panel, int later) {
            int first = panels.first(later);
            blas.gemm(
                    Blas.Transpose.NO,
                    Blas.Transpose.YES,
                    order() - first,
                    panels.size(later),
                    panels.size(panel),
                    -1,
                    panels.from(panel, first),
                    panels.from(panel, first),
                    1,
                    panels.from(later, first));
        }

        @Override
        void solveScaled(double[] x) {
            for (int i = 0; i < x.length; i++) {
                x[i] /= panels.get(i, i);
                panels.subtract(x[i], i, i + 1, x.length - i - 1, x);
            }
            for (int i = x.length - 1; i >= 0; i--) {
                x[i] = (x[i] - panels.dot(i, i + 1, x)) / panels.get(i, i);
            }
        }
    }

    /** {@code P L U}; the exchanges of a panel's rows are not made in the panels before it. */
    static final class Lu<A> extends Factors {
        private final Panels<A> panels;
        private final BlasRoutines<A> blas;
        /** By row: with which of the rows from its panel's first on it was exchanged, from 1. */
        private final int[] pivots;

        Lu(Scaling scaling, Panels<A> panels, Blas library) {
            super(scaling);
            this.panels = panels;
            this.blas = panels.elements().routines(library);
            this.pivots = new int[panels.order()];
        }

        @Override
        Panels<A> all() {
            return panels;
        }

        @Override
        int[] exchanges() {
            return pivots;
        }

        @Override
        String method() {
            return "lu";
        }

        @Override
        int panels() {
            return panels.count();
        }

        @Override
        void panel(int panel) {
            int first = panels.first(panel);
            try {
                blas.getrf(
                        order() - first, panels.size(panel), panels.from(panel, first), Operand.pivots(pivots, first));
            } catch (Blas.SingularMatrixException e) {
                throw new Blas.SingularMatrixException(first + e.pivot(), order());
            }
        }

        @Override
        void update(int panel, int later) {
            int first = panels.first(panel);
            int size = panels.size(panel);
            int its = panels.size(later);
            int below = order() - first - size;
            blas.laswp(order() - first, its, panels.from(later, first), 0, size, Operand.pivots(pivots, first), true);
            blas.trsm(
                    Blas.Side.LEFT,
                    Blas.Triangle.LOWER,
                    Blas.Transpose.NO,
                    Blas.Diagonal.UNIT,
                    size,
                    its,
                    1,
                    panels.from(panel, first),
                    panels.from(later, first));
            blas.gemm(
                    Blas.Transpose.NO,
                    Blas.Transpose.NO,
                    below,
                    its,
                    size,
                    -1,
                    panels.from(panel, first + size),
                    panels.from(later, first),
                    1,
                    panels.from(later, first + size));
        }

        /**
         * Refuses factors of a matrix that rounding alone keeps from being singular: a pivot is no larger than the
         * rounding error of earlier pivots in double precision, and the matrix is as badly conditioned as that says. A
         * pivot alone says little, since earlier ones may have grown.
         *
         * @param norm returns the largest sum of absolute values in a column of the scaled matrix
         * @throws Blas.SingularMatrixException if the matrix is singular, with its pivot that is smallest relative to
         *     earlier ones
         */
        void requireRegular(DoubleSupplier norm) {
            double rounding = order() * Math.ulp(0.5);
            double largest = 0;
            double least = Double.POSITIVE_INFINITY;
            int suspect = 0;
            for (int i = 0; i < order(); i++) {
                double pivot = Math.abs(panels.get(i, i));
                largest = Math.max(largest, pivot);
                if (pivot / largest < least) {
                    least = pivot / largest;
                    suspect = i;
                }
            }
            if (least <= rounding) {
                double condition = norm.getAsDouble()
                        * InverseNorm.estimate(order(), this::solveScaled, this::solveScaledTransposed);
                if (!(condition * rounding < 1)) {
                    throw new Blas.SingularMatrixException(suspect + 1, order());
                }
            }
        }

        @Override
        void solveScaled(double[] x) {
            for (int panel = 0; panel < panels.count(); panel++) {
                int first = panels.first(panel);
                int end = first + panels.size(panel);
                for (int i = first; i < end; i++) {
                    int other = first + pivots[i] - 1;
                    double value = x[i];
                    x[i] = x[other];
                    x[other] = value;
                }
                for (int i = first; i < end; i++) {
                    panels.subtract(x[i], i, i + 1, x.length - i - 1, x);
                }
            }
            for (int i = x.length - 1; i >= 0; i--) {
                x[i] /= panels.get(i, i);
                panels.subtract(x[i], i, 0, i, x);
            }
        }

        /** Solves a system with the transposed scaled matrix in the place of its right-hand side. */
        private void solveScaledTransposed(double[] x) {
            for (int i = 0; i < x.length; i++) {
                x[i] = (x[i] - panels.dot(i, 0, i, x)) / panels.get(i, i);
            }
            for (int panel = panels.count() - 1; panel >= 0; panel--) {
                int first = panels.first(panel);
                int last = first + panels.size(panel) - 1;
                for (int i = last; i >= first; i--) {
                    x[i] -= panels.dot(i, i + 1, x);
                }
                for (int i = last; i >= first; i--) {
                    int other = first + pivots[i] - 1;
                    double value = x[i];
                    x[i] = x[other];
                    x[other] = value;
                }
            }
        }
    }
}
