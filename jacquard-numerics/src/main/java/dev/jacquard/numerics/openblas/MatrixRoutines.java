package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas.Diagonal;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Side;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;
import dev.jacquard.numerics.openblas.Operand.Part;
import java.lang.foreign.MemorySegment;

/** Levels 2 and 3 of BLAS: checks, then one native call, on copies where {@link Staging} wants them. */
abstract class MatrixRoutines extends VectorRoutines {
    MatrixRoutines(Functions functions, Layout layout) {
        super(functions, layout);
    }

    @Override
    public final void gemv(
            Transpose transpose,
            int m,
            int n,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment x,
            long xOffset,
            int xStride,
            double beta,
            MemorySegment y,
            long yOffset,
            int yStride) {
        sizes("gemv", m, n);
        boolean turned = transpose == Transpose.YES;
        Operand opA = matrix("gemv: A", m, n, a, aOffset, lda, Part.NONE);
        Operand opX = vector("gemv: x", turned ? m : n, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("gemv: y", turned ? n : m, y, yOffset, yStride, Part.ALL);
        if (opY.elements() == 0) {
            return;
        }
        if (opX.elements() == 0) {
            clearOrScale(opY, beta);
            return;
        }
        try (Staging staging = Staging.of(2.0 * m * n, opA, opX, opY)) {
            functions
                    .gemv
                    .handle(staging.isQuick())
                    .invokeExact(
                            order,
                            code(transpose),
                            m,
                            n,
                            alpha,
                            opA.memory(),
                            opA.stride(),
                            opX.memory(),
                            opX.stride(),
                            beta,
                            opY.memory(),
                            opY.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void ger(
            int m,
            int n,
            double alpha,
            MemorySegment x,
            long xOffset,
            int xStride,
            MemorySegment y,
            long yOffset,
            int yStride,
            MemorySegment a,
            long aOffset,
            int lda) {
        sizes("ger", m, n);
        Operand opX = vector("ger: x", m, x, xOffset, xStride, Part.NONE);
        Operand opY = vector("ger: y", n, y, yOffset, yStride, Part.NONE);
        Operand opA = matrix("ger: A", m, n, a, aOffset, lda, Part.ALL);
        if (opA.elements() == 0) {
            return;
        }
        try (Staging staging = Staging.of(2.0 * m * n, opX, opY, opA)) {
            functions
                    .ger
                    .handle(staging.isQuick())
                    .invokeExact(
                            order,
                            m,
                            n,
                            alpha,
                            opX.memory(),
                            opX.stride(),
                            opY.memory(),
                            opY.stride(),
                            opA.memory(),
                            opA.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void gemm(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment b,
            long bOffset,
            int ldb,
            double beta,
            MemorySegment c,
            long cOffset,
            int ldc) {
        sizes("gemm", m, n, k);
        Operand opA = matrix("gemm: A", transposeA, m, k, a, aOffset, lda);
        Operand opB = matrix("gemm: B", transposeB, k, n, b, bOffset, ldb);
        Operand opC = matrix("gemm: C", m, n, c, cOffset, ldc, Part.ALL);
        if (opC.elements() == 0) {
            return;
        }
        try (Staging staging = Staging.of(2.0 * m * n * k, opA, opB, opC)) {
            functions
                    .gemm
                    .handle(staging.isQuick())
                    .invokeExact(
                            order,
                            code(transposeA),
                            code(transposeB),
                            m,
                            n,
                            k,
                            alpha,
                            opA.memory(),
                            opA.stride(),
                            opB.memory(),
                            opB.stride(),
                            beta,
                            opC.memory(),
                            opC.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    @Override
    public final void syrk(
            Triangle triangle,
            Transpose transpose,
            int n,
            int k,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            double beta,
            MemorySegment c,
            long cOffset,
            int ldc) {
        sizes("syrk", n, k);
        Operand opA = matrix("syrk: A", transpose, n, k, a, aOffset, lda);
        Operand opC = matrix("syrk: C", n, n, c, cOffset, ldc, part(triangle));
        if (n == 0) {
            return;
        }
        try (Staging staging = Staging.of(1.0 * n * n * k, opA, opC)) {
            functions
                    .syrk
                    .handle(staging.isQuick())
                    .invokeExact(
                            order,
                            code(triangle),
                            code(transpose),
                            n,
                            k,
                            alpha,
                            opA.memory(),
                            opA.stride(),
                            beta,
                            opC.memory(),
                            opC.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
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
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment b,
            long bOffset,
            int ldb) {
        triangular(
                "trsm",
                functions.trsm,
                side,
                triangle,
                transpose,
                diagonal,
                m,
                n,
                alpha,
                a,
                aOffset,
                lda,
                b,
                bOffset,
                ldb);
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
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment b,
            long bOffset,
            int ldb) {
        triangular(
                "trmm",
                functions.trmm,
                side,
                triangle,
                transpose,
                diagonal,
                m,
                n,
                alpha,
                a,
                aOffset,
                lda,
                b,
                bOffset,
                ldb);
    }

    private void triangular(
            String name,
            Function function,
            Side side,
            Triangle triangle,
            Transpose transpose,
            Diagonal diagonal,
            int m,
            int n,
            double alpha,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment b,
            long bOffset,
            int ldb) {
        sizes(name, m, n);
        int rank = side == Side.LEFT ? m : n;
        Operand opA = matrix(name + ": A", rank, rank, a, aOffset, lda, Part.NONE);
        Operand opB = matrix(name + ": B", m, n, b, bOffset, ldb, Part.ALL);
        if (opB.elements() == 0) {
            return;
        }
        try (Staging staging = Staging.of(1.0 * m * n * rank, opA, opB)) {
            function.handle(staging.isQuick())
                    .invokeExact(
                            order,
                            side == Side.LEFT ? 141 : 142,
                            code(triangle),
                            code(transpose),
                            diagonal == Diagonal.UNIT ? 132 : 131,
                            m,
                            n,
                            alpha,
                            opA.memory(),
                            opA.stride(),
                            opB.memory(),
                            opB.stride());
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }

    /** {@code y = beta y}, where {@code beta} of zero clears whatever is there, as in BLAS. */
    private void clearOrScale(Operand y, double beta) {
        int n = Math.toIntExact(y.elements());
        if (beta != 0) {
            scal(n, beta, y.memory(), 0, y.stride());
            return;
        }
        for (long i = 0; i < n; i++) {
            y.from(i * y.stride()).asSlice(0, functions.element.byteSize()).fill((byte) 0);
        }
    }
}
