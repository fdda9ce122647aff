package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas.Diagonal;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Side;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;
import dev.jacquard.numerics.blas.Operand;
import dev.jacquard.numerics.openblas.CheckedOperand.Part;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Levels 2 and 3 of BLAS: checks, then one native call, on copies where {@link OperandCopies} wants them. */
abstract class MatrixRoutines<A> extends VectorRoutines<A> {
    MatrixRoutines(Functions functions, Layout layout) {
        super(functions, layout);
    }

    @Override
    public final void gemv(
            Transpose transpose, int m, int n, double alpha, Operand<A> a, Operand<A> x, double beta, Operand<A> y) {
        sizes("gemv", m, n);
        boolean turned = transpose == Transpose.YES;
        CheckedOperand opA = matrix("gemv: A", m, n, a, Part.NONE);
        CheckedOperand opX = vector("gemv: x", turned ? m : n, x, Part.NONE);
        CheckedOperand opY = vector("gemv: y", turned ? n : m, y, Part.ALL);
        if (opY.elements() == 0) {
            return;
        }
        if (opX.elements() == 0) {
            clearOrScale(opY, beta);
            return;
        }
        int op = code(transpose);
        Call call = routines -> routines.gemv(
                order, op, m, n, alpha, opA.memory, opA.stride, opX.memory, opX.stride, beta, opY.memory, opY.stride);
        staged(2.0 * m * n, call, opA, opX, opY);
    }

    @Override
    public final void ger(int m, int n, double alpha, Operand<A> x, Operand<A> y, Operand<A> a) {
        sizes("ger", m, n);
        CheckedOperand opX = vector("ger: x", m, x, Part.NONE);
        CheckedOperand opY = vector("ger: y", n, y, Part.NONE);
        CheckedOperand opA = matrix("ger: A", m, n, a, Part.ALL);
        if (opA.elements() == 0) {
            return;
        }
        Call call = routines -> routines.ger(
                order, m, n, alpha, opX.memory, opX.stride, opY.memory, opY.stride, opA.memory, opA.stride);
        staged(2.0 * m * n, call, opX, opY, opA);
    }

    @Override
    public final void gemm(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            double alpha,
            Operand<A> a,
            Operand<A> b,
            double beta,
            Operand<A> c) {
        sizes("gemm", m, n, k);
        CheckedOperand opA = matrix("gemm: A", transposeA, m, k, a);
        CheckedOperand opB = matrix("gemm: B", transposeB, k, n, b);
        CheckedOperand opC = matrix("gemm: C", m, n, c, Part.ALL);
        if (opC.elements() == 0) {
            return;
        }
        int turnA = code(transposeA);
        int turnB = code(transposeB);
        // Some kernels multiply small matrices by zero, and so find elements that are no number.
        int terms = functions.loops.rounded(alpha) == 0 ? 0 : k;
        Call call = routines -> routines.gemm(
                order,
                turnA,
                turnB,
                m,
                n,
                terms,
                alpha,
                opA.memory,
                opA.stride,
                opB.memory,
                opB.stride,
                beta,
                opC.memory,
                opC.stride);
        staged(2.0 * m * n * k, call, opA, opB, opC);
    }

    @Override
    public final void syrk(
            Triangle triangle,
            Transpose transpose,
            int n,
            int k,
            double alpha,
            Operand<A> a,
            double beta,
            Operand<A> c) {
        sizes("syrk", n, k);
        CheckedOperand opA = matrix("syrk: A", transpose, n, k, a);
        CheckedOperand opC = matrix("syrk: C", n, n, c, part(triangle));
        if (n == 0) {
            return;
        }
        int half = code(triangle);
        int op = code(transpose);
        Call call = routines ->
                routines.syrk(order, half, op, n, k, alpha, opA.memory, opA.stride, beta, opC.memory, opC.stride);
        staged(1.0 * n * n * k, call, opA, opC);
    }

    @Override
    public final void trsm(
            Side side,
            Triangle triangle,
            Transpose transpose,
            Diagonal diagonal,
            int m,
            int n,
            double alpha,
            Operand<A> a,
            Operand<A> b) {
        triangular("trsm", Routines::trsm, side, triangle, transpose, diagonal, m, n, alpha, a, b);
    }

    @Override
    public final void trmm(
            Side side,
            Triangle triangle,
            Transpose transpose,
            Diagonal diagonal,
            int m,
            int n,
            double alpha,
            Operand<A> a,
            Operand<A> b) {
        triangular("trmm", Routines::trmm, side, triangle, transpose, diagonal, m, n, alpha, a, b);
    }

    private void triangular(
            String name,
            Triangular routine,
            Side side,
            Triangle triangle,
            Transpose transpose,
            Diagonal diagonal,
            int m,
            int n,
            double alpha,
            Operand<A> a,
            Operand<A> b) {
        sizes(name, m, n);
        Objects.requireNonNull(triangle, "triangle");
        Objects.requireNonNull(transpose, "transpose");
        Objects.requireNonNull(diagonal, "diagonal");
        int rank = Objects.requireNonNull(side, "side") == Side.LEFT ? m : n;
        CheckedOperand opA = matrix(name + ": A", rank, rank, a, Part.NONE);
        CheckedOperand opB = matrix(name + ": B", m, n, b, Part.ALL);
        if (opB.elements() == 0) {
            return;
        }
        int where = side == Side.LEFT ? 141 : 142;
        int half = code(triangle);
        int op = code(transpose);
        int ones = diagonal == Diagonal.UNIT ? 132 : 131;
        Call call = routines -> routine.call(
                routines, order, where, half, op, ones, m, n, alpha, opA.memory, opA.stride, opB.memory, opB.stride);
        staged(1.0 * m * n * rank, call, opA, opB);
    }

    /** A native call on operands that may have been staged. */
    private interface Call {
        void on(Routines routines);
    }

    /** {@code trsm} or {@code trmm}. */
    private interface Triangular {
        void call(
                Routines routines,
                int order,
                int side,
                int triangle,
                int transpose,
                int diagonal,
                int m,
                int n,
                double alpha,
                MemorySegment a,
                int strideA,
                MemorySegment b,
                int strideB);
    }

    private void staged(double operations, Call call, CheckedOperand... operands) {
        try (OperandCopies staging = OperandCopies.of(operations, operands)) {
            call.on(functions.routines(staging.isQuick()));
        }
    }

    /** {@code y = beta y}, where {@code beta} of zero clears whatever is there, as in BLAS. */
    private void clearOrScale(CheckedOperand y, double beta) {
        int n = Math.toIntExact(y.elements());
        if (beta != 0) {
            scal(n, beta, Operand.of(y.memory, 0, y.stride));
            return;
        }
        for (long i = 0; i < n; i++) {
            y.line(i).asSlice(0, functions.element.byteSize()).fill((byte) 0);
        }
    }
}
