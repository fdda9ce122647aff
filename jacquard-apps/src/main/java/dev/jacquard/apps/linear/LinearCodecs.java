package dev.jacquard.apps.linear;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.io.IOException;

/** The codecs of the values that components for linear algebra hand on. Named as services one by one. */
public final class LinearCodecs {
    static final Codec<int[]> INDICES = Codecs.standard().of(int[].class);
    static final Codec<float[]> SINGLES = Codecs.standard().of(float[].class);
    static final Codec<double[]> DOUBLES = Codecs.standard().of(double[].class);

    private LinearCodecs() {}

    /** Writes sparse matrices, entry by entry. */
    public static final class OfMatrix implements Codec<SparseMatrix> {
        /** Made by the service loader. */
        public OfMatrix() {}

        @Override
        public Class<SparseMatrix> type() {
            return SparseMatrix.class;
        }

        @Override
        public void write(SparseMatrix matrix, Codec.Output to) throws IOException {
            int entries = Math.toIntExact(matrix.entries());
            int[] rows = new int[entries];
            int[] columns = new int[entries];
            double[] values = new double[entries];
            int[] next = {0};
            matrix.forEach((row, column, value) -> {
                rows[next[0]] = row;
                columns[next[0]] = column;
                values[next[0]++] = value;
            });
            to.writeInt(matrix.rows());
            to.writeInt(matrix.columns());
            INDICES.write(rows, to);
            INDICES.write(columns, to);
            DOUBLES.write(values, to);
        }

        @Override
        public SparseMatrix read(Codec.Input from) throws IOException {
            int rows = from.readInt();
            int columns = from.readInt();
            int[] rowOf = INDICES.read(from);
            int[] columnOf = INDICES.read(from);
            try {
                return SparseMatrix.of(rows, columns, rowOf, columnOf, DOUBLES.read(from));
            } catch (IllegalArgumentException e) {
                throw new IOException("the bytes are no matrix: " + e.getMessage(), e);
            }
        }
    }

    /** Writes factors, panel by panel. */
    public static final class OfFactors implements Codec<Factors> {
        /** Made by the service loader. */
        public OfFactors() {}

        @Override
        public Class<Factors> type() {
            return Factors.class;
        }

        @Override
        public void write(Factors factors, Codec.Output to) throws IOException {
            factors.write(to);
        }

        @Override
        public Factors read(Codec.Input from) throws IOException {
            return Factors.read(from);
        }
    }

    /** Writes solutions with their residuals. */
    public static final class OfRefinement implements Codec<Refinement> {
        /** Made by the service loader. */
        public OfRefinement() {}

        @Override
        public Class<Refinement> type() {
            return Refinement.class;
        }

        @Override
        public void write(Refinement refinement, Codec.Output to) throws IOException {
            DOUBLES.write(refinement.x(), to);
            DOUBLES.write(refinement.residual(), to);
            to.writeDouble(refinement.error());
        }

        @Override
        public Refinement read(Codec.Input from) throws IOException {
            double[] x = DOUBLES.read(from);
            double[] residual = DOUBLES.read(from);
            return new Refinement(x, residual, from.readDouble());
        }
    }
}
