package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.openblas.Operand.Part;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Level 1 of BLAS. Vectors that are long and on the heap are worked through in pieces, each of which holds the garbage
 * collector off for a moment: copying them would cost as much as the routine.
 */
abstract class VectorRoutines extends Operands {
    VectorRoutines(Functions functions, Layout layout) {
        super(functions, layout);
    }

    @Override
    public final void axpy(
            int n,
            double alpha,
            MemorySegment x,
            long xOffset,
            int xStride,
            MemorySegment y,
            long yOffset,
            int yStride) {
        sizes("axpy", n);
        Operand opX = vector("axpy: x", n, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("axpy: y", n, y, yOffset, yStride, Part.ALL);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX, opY);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.axpy.handle(quick);
        try {
            for (long done = 0; done < n; done += piece) {
                handle.invokeExact(
                        (int) Math.min(piece, n - done),
                        alpha,
                        opX.from(done * xStride),
                        xStride,
                        opY.from(done * yStride),
                        yStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final double dot(
            int n, MemorySegment x, long xOffset, int xStride, MemorySegment y, long yOffset, int yStride) {
        sizes("dot", n);
        Operand opX = vector("dot: x", n, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("dot: y", n, y, yOffset, yStride, Part.NONE);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX, opY);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.dot.handle(quick);
        double result = 0;
        try {
            for (long done = 0; done < n; done += piece) {
                result += (double) handle.invokeExact(
                        (int) Math.min(piece, n - done),
                        opX.from(done * xStride),
                        xStride,
                        opY.from(done * yStride),
                        yStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
        return result;
    }

    @Override
    public final void scal(int n, double alpha, MemorySegment x, long xOffset, int xStride) {
        sizes("scal", n);
        Operand opX = vector("scal: x", n, x, xOffset, xStride, Part.ALL);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.scal.handle(quick);
        try {
            for (long done = 0; done < n; done += piece) {
                handle.invokeExact((int) Math.min(piece, n - done), alpha, opX.from(done * xStride), xStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void copy(
            int n, MemorySegment x, long xOffset, int xStride, MemorySegment y, long yOffset, int yStride) {
        sizes("copy", n);
        Operand opX = vector("copy: x", n, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("copy: y", n, y, yOffset, yStride, Part.ALL);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX, opY);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.copy.handle(quick);
        try {
            for (long done = 0; done < n; done += piece) {
                handle.invokeExact(
                        (int) Math.min(piece, n - done),
                        opX.from(done * xStride),
                        xStride,
                        opY.from(done * yStride),
                        yStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final double nrm2(int n, MemorySegment x, long xOffset, int xStride) {
        sizes("nrm2", n);
        Operand opX = vector("nrm2: x", n, x, xOffset, xStride, Part.NONE);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.nrm2.handle(quick);
        double result = 0;
        try {
            for (long done = 0; done < n; done += piece) {
                result = Math.hypot(result, (double)
                        handle.invokeExact((int) Math.min(piece, n - done), opX.from(done * xStride), xStride));
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
        return result;
    }

    @Override
    public final double asum(int n, MemorySegment x, long xOffset, int xStride) {
        sizes("asum", n);
        Operand opX = vector("asum: x", n, x, xOffset, xStride, Part.NONE);
        boolean quick = n <= Staging.PIECE || !Staging.areNative(opX);
        int piece = quick ? Staging.PIECE : n;
        MethodHandle handle = functions.asum.handle(quick);
        double result = 0;
        try {
            for (long done = 0; done < n; done += piece) {
                result +=
                        (double) handle.invokeExact((int) Math.min(piece, n - done), opX.from(done * xStride), xStride);
            }
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
        return result;
    }
}
