package dev.jacquard.numerics.openblas;

import dev.jacquard.base.foreign.Binding.Narrow;
import dev.jacquard.base.foreign.Binding.Symbol;
import java.lang.foreign.MemorySegment;

/**
 * The functions of OpenBLAS in one precision that are called: the ones that every build of it has. CBLAS for BLAS; for
 * LAPACK the Fortran functions, since Debian's build has no LAPACKE. Integers have 32 bits. In the names {@code ?} is
 * the letter of the precision, as in the vendors' manuals; where a function has floats, the caller has doubles.
 */
interface Routines {
    @Symbol("cblas_?axpy")
    void axpy(int n, @Narrow double alpha, MemorySegment x, int strideX, MemorySegment y, int strideY);

    @Symbol("cblas_?dot")
    @Narrow
    double dot(int n, MemorySegment x, int strideX, MemorySegment y, int strideY);

    @Symbol("cblas_?scal")
    void scal(int n, @Narrow double alpha, MemorySegment x, int strideX);

    @Symbol("cblas_?copy")
    void copy(int n, MemorySegment x, int strideX, MemorySegment y, int strideY);

    @Symbol("cblas_?swap")
    void swap(int n, MemorySegment x, int strideX, MemorySegment y, int strideY);

    @Symbol("cblas_?nrm2")
    @Narrow
    double nrm2(int n, MemorySegment x, int strideX);

    @Symbol("cblas_?asum")
    @Narrow
    double asum(int n, MemorySegment x, int strideX);

    @Symbol("cblas_?gemv")
    void gemv(
            int order,
            int transpose,
            int m,
            int n,
            @Narrow double alpha,
            MemorySegment a,
            int strideA,
            MemorySegment x,
            int strideX,
            @Narrow double beta,
            MemorySegment y,
            int strideY);

    @Symbol("cblas_?ger")
    void ger(
            int order,
            int m,
            int n,
            @Narrow double alpha,
            MemorySegment x,
            int strideX,
            MemorySegment y,
            int strideY,
            MemorySegment a,
            int strideA);

    @Symbol("cblas_?gemm")
    void gemm(
            int order,
            int transposeA,
            int transposeB,
            int m,
            int n,
            int k,
            @Narrow double alpha,
            MemorySegment a,
            int strideA,
            MemorySegment b,
            int strideB,
            @Narrow double beta,
            MemorySegment c,
            int strideC);

    @Symbol("cblas_?syrk")
    void syrk(
            int order,
            int triangle,
            int transpose,
            int n,
            int k,
            @Narrow double alpha,
            MemorySegment a,
            int strideA,
            @Narrow double beta,
            MemorySegment c,
            int strideC);

    @Symbol("cblas_?trsm")
    void trsm(
            int order,
            int side,
            int triangle,
            int transpose,
            int diagonal,
            int m,
            int n,
            @Narrow double alpha,
            MemorySegment a,
            int strideA,
            MemorySegment b,
            int strideB);

    @Symbol("cblas_?trmm")
    void trmm(
            int order,
            int side,
            int triangle,
            int transpose,
            int diagonal,
            int m,
            int n,
            @Narrow double alpha,
            MemorySegment a,
            int strideA,
            MemorySegment b,
            int strideB);

    @Symbol("cblas_?omatcopy")
    void omatcopy(
            int order,
            int transpose,
            int rows,
            int columns,
            @Narrow double alpha,
            MemorySegment a,
            int strideA,
            MemorySegment b,
            int strideB);

    @Symbol("?getrf_")
    void getrf(
            MemorySegment m,
            MemorySegment n,
            MemorySegment a,
            MemorySegment strideA,
            MemorySegment pivots,
            MemorySegment info);

    @Symbol("?potrf_")
    void potrf(MemorySegment triangle, MemorySegment n, MemorySegment a, MemorySegment strideA, MemorySegment info);
}
