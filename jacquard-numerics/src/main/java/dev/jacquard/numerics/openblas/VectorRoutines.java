package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Operand;
import dev.jacquard.numerics.openblas.CheckedOperand.Part;
import java.lang.invoke.MethodHandle;
import java.util.function.DoubleBinaryOperator;

/**
 * Level 1 of BLAS. Vectors that are long and on the heap are worked through in pieces, each of which holds the garbage
 * collector off for a moment: copying them would cost as much as the routine.
 */
abstract class VectorRoutines<A> extends Operands<A> {
    VectorRoutines(Functions functions, Layout layout) {
        super(functions, layout);
    }

    @Override
    public final void axpy(int n, double alpha, Operand<A> x, Operand<A> y) {
        sizes("axpy", n);
        CheckedOperand opX = vector("axpy: x", n, x, Part.NONE);
        CheckedOperand opY = vector("axpy: y", n, y, Part.ALL);
        Piece piece = (axpy, from, count) -> {
            axpy.invokeExact(count, alpha, opX.line(from), opX.stride, opY.line(from), opY.stride);
            return 0;
        };
        inPieces(functions.axpy, n, piece, Double::sum, opX, opY);
    }

    @Override
    public final double dot(int n, Operand<A> x, Operand<A> y) {
        sizes("dot", n);
        CheckedOperand opX = vector("dot: x", n, x, Part.NONE);
        CheckedOperand opY = vector("dot: y", n, y, Part.NONE);
        Piece piece = (dot, from, count) ->
                (double) dot.invokeExact(count, opX.line(from), opX.stride, opY.line(from), opY.stride);
        return inPieces(functions.dot, n, piece, Double::sum, opX, opY);
    }

    @Override
    public final void scal(int n, double alpha, Operand<A> x) {
        sizes("scal", n);
        CheckedOperand opX = vector("scal: x", n, x, Part.ALL);
        Piece piece = (scal, from, count) -> {
            scal.invokeExact(count, alpha, opX.line(from), opX.stride);
            return 0;
        };
        inPieces(functions.scal, n, piece, Double::sum, opX);
    }

    @Override
    public final void copy(int n, Operand<A> x, Operand<A> y) {
        sizes("copy", n);
        CheckedOperand opX = vector("copy: x", n, x, Part.NONE);
        CheckedOperand opY = vector("copy: y", n, y, Part.ALL);
        Piece piece = (copy, from, count) -> {
            copy.invokeExact(count, opX.line(from), opX.stride, opY.line(from), opY.stride);
            return 0;
        };
        inPieces(functions.copy, n, piece, Double::sum, opX, opY);
    }

    @Override
    public final double nrm2(int n, Operand<A> x) {
        return reduced("nrm2", functions.nrm2, n, x, Math::hypot);
    }

    @Override
    public final double asum(int n, Operand<A> x) {
        return reduced("asum", functions.asum, n, x, Double::sum);
    }

    private double reduced(String name, Function function, int n, Operand<A> x, DoubleBinaryOperator join) {
        sizes(name, n);
        CheckedOperand opX = vector(name + ": x", n, x, Part.NONE);
        Piece piece = (reduction, from, count) -> (double) reduction.invokeExact(count, opX.line(from), opX.stride);
        return inPieces(function, n, piece, join, opX);
    }

    /** A native call on {@code count} elements from {@code from} on; the result of one without a result is 0. */
    private interface Piece {
        double call(MethodHandle function, long from, int count) throws Throwable;
    }

    private static double inPieces(
            Function function, int n, Piece piece, DoubleBinaryOperator join, CheckedOperand... operands) {
        boolean quick = n <= OperandCopies.PIECE || !OperandCopies.areNative(operands);
        int most = quick ? OperandCopies.PIECE : n;
        MethodHandle handle = function.handle(quick);
        double result = 0;
        try {
            for (long done = 0; done < n; done += most) {
                result = join.applyAsDouble(result, piece.call(handle, done, (int) Math.min(most, n - done)));
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
        return result;
    }
}
