package dev.jacquard.apps.linear;

import dev.jacquard.components.codec.Codec;
import dev.jacquard.components.codec.CodecInput;
import dev.jacquard.components.codec.Codecs;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.numerics.sparse.SparseMatrix;
import java.io.DataOutputStream;
import java.io.IOException;

/** The codecs of what components for linear algebra hand on. Named as services one by one. */
public final class LinearCodecs {
    private static final SocketType<int[]> INDICES = SocketType.of(int[].class);

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
        public void write(SparseMatrix matrix, DataOutputStream to) throws IOException {
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
            Codecs.write(INDICES, rows, to);
            Codecs.write(INDICES, columns, to);
            Codecs.write(Sockets.VECTOR, values, to);
        }

        @Override
        public SparseMatrix read(CodecInput from) throws IOException {
            int rows = from.readInt();
            int columns = from.readInt();
            int[] rowOf = Codecs.read(INDICES, from);
            int[] columnOf = Codecs.read(INDICES, from);
            try {
                return SparseMatrix.of(rows, columns, rowOf, columnOf, Codecs.read(Sockets.VECTOR, from));
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
        public void write(Factors factors, DataOutputStream to) throws IOException {
            factors.write(to);
        }

        @Override
        public Factors read(CodecInput from) throws IOException {
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
        public void write(Refinement refinement, DataOutputStream to) throws IOException {
            Codecs.write(Sockets.VECTOR, refinement.x(), to);
            Codecs.write(Sockets.VECTOR, refinement.residual(), to);
            to.writeDouble(refinement.error());
        }

        @Override
        public Refinement read(CodecInput from) throws IOException {
            double[] x = Codecs.read(Sockets.VECTOR, from);
            double[] residual = Codecs.read(Sockets.VECTOR, from);
            return new Refinement(x, residual, from.readDouble());
        }
    }
}
