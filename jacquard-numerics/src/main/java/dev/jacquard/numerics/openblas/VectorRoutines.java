package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Operand;
import dev.jacquard.numerics.openblas.CheckedOperand.Part;
import java.lang.foreign.MemorySegment;
import java.util.function.DoubleBinaryOperator;

/**
 * Level 1 of BLAS. Vectors that are long and on the heap are worked through in pieces, each of which holds the garbage
 * collector off for a moment: copying them would cost as much as the routine.
 *
 * <p>A result has the same bits wherever its operands lie. So sums are made of the same pieces on the heap and in
 * native memory; and sums of absolute values, which OpenBLAS splits where an address is a multiple of a vector's size,
 * of pieces that begin on a cache line, or are copied to one.
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
        Piece piece = (routines, from, count) ->
                routines.axpy(count, alpha, opX.line(from), opX.stride, opY.line(from), opY.stride);
        forEach(n, piece, opX, opY);
    }

    @Override
    public final double dot(int n, Operand<A> x, Operand<A> y) {
        sizes("dot", n);
        CheckedOperand opX = vector("dot: x", n, x, Part.NONE);
        CheckedOperand opY = vector("dot: y", n, y, Part.NONE);
        PartialResult piece =
                (routines, from, count) -> routines.dot(count, opX.line(from), opX.stride, opY.line(from), opY.stride);
        return reduced(n, OperandCopies.PIECE, piece, Double::sum);
    }

    @Override
    public final void scal(int n, double alpha, Operand<A> x) {
        sizes("scal", n);
        CheckedOperand opX = vector("scal: x", n, x, Part.ALL);
        double factor = functions.loops.rounded(alpha);
        if (factor == 0 || Double.isNaN(factor)) { // some versions write zeros whatever is there
            functions.loops.multiply(opX.memory, opX.stride, n, alpha);
            return;
        }
        Piece piece = (routines, from, count) -> routines.scal(count, alpha, opX.line(from), opX.stride);
        forEach(n, piece, opX);
    }

    @Override
    public final void copy(int n, Operand<A> x, Operand<A> y) {
        sizes("copy", n);
        CheckedOperand opX = vector("copy: x", n, x, Part.NONE);
        CheckedOperand opY = vector("copy: y", n, y, Part.ALL);
        Piece piece =
                (routines, from, count) -> routines.copy(count, opX.line(from), opX.stride, opY.line(from), opY.stride);
        forEach(n, piece, opX, opY);
    }

    @Override
    public final double nrm2(int n, Operand<A> x) {
        sizes("nrm2", n);
        CheckedOperand opX = vector("nrm2: x", n, x, Part.NONE);
        PartialResult part = (routines, from, count) -> routines.nrm2(count, opX.line(from), opX.stride);
        return reduced(n, OperandCopies.PIECE, part, Math::hypot);
    }

    @Override
    public final double asum(int n, Operand<A> x) {
        sizes("asum", n);
        CheckedOperand opX = vector("asum: x", n, x, Part.NONE);
        if (opX.stride > 1 || opX.isAligned()) {
            PartialResult part = (routines, from, count) -> routines.asum(count, opX.line(from), opX.stride);
            return reduced(n, AlignedPieces.ELEMENTS, part, Double::sum);
        }
        MemorySegment aligned = functions.pieces.take();
        long size = functions.element.byteSize();
        PartialResult part = (routines, from, count) -> {
            MemorySegment.copy(opX.memory, from * size, aligned, 0, count * size);
            return routines.asum(count, aligned, 1);
        };
        double sum = reduced(n, AlignedPieces.ELEMENTS, part, Double::sum);
        functions.pieces.giveBack(aligned);
        return sum;
    }

    /** A native call on {@code count} elements from {@code from} on. */
    private interface Piece {
        void call(Routines routines, long from, int count);
    }

    /** The same with a result. */
    private interface PartialResult {
        double call(Routines routines, long from, int count);
    }

    private void forEach(int n, Piece piece, CheckedOperand... operands) {
        boolean quick = n <= OperandCopies.PIECE || !OperandCopies.areNative(operands);
        int most = quick ? OperandCopies.PIECE : n;
        Routines routines = functions.routines(quick);
        for (long done = 0; done < n; done += most) {
            piece.call(routines, done, (int) Math.min(most, n - done));
        }
    }

    private double reduced(int n, int most, PartialResult part, DoubleBinaryOperator join) {
        Routines routines = functions.routines(true);
        double result = 0;
        for (long done = 0; done < n; done += most) {
            int count = (int) Math.min(most, n - done);
            result = join.applyAsDouble(result, part.call(routines, done, count));
        }
        return result;
    }
}
