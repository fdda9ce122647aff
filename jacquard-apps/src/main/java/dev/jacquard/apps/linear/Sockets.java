package dev.jacquard.apps.linear;

import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.numerics.sparse.SparseMatrix;

/** Sockets that several components have. Values that they hand on are not changed any more. */
final class Sockets {
    static final SocketType<SparseMatrix> MATRIX = SocketType.of(SparseMatrix.class);
    static final SocketType<double[]> VECTOR = SocketType.of(double[].class);
    static final SocketType<Factors> FACTORS = SocketType.of(Factors.class);
    static final SocketType<Refinement> REFINEMENT = SocketType.of(Refinement.class);

    static final Sink<SparseMatrix> MATRIX_IN = Sink.of("matrix", MATRIX, "The matrix A.");
    static final Sink<double[]> RHS_IN = Sink.of("rhs", VECTOR, "The right-hand side b.");
    static final Source<double[]> X = Source.of("x", VECTOR, "The solution of A x = b.");

    private Sockets() {}
}
