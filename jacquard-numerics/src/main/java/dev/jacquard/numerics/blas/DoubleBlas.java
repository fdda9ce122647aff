package dev.jacquard.numerics.blas;

import java.lang.foreign.MemorySegment;

/** The routines in double precision, on arrays too: an array stands for {@link MemorySegment#ofArray} of it. */
public interface DoubleBlas extends BlasRoutines {
    /** As {@link BlasRoutines#axpy}. */
    default void axpy(int n, double alpha, double[] x, int xOffset, int xStride, double[] y, int yOffset, int yStride) {
        axpy(n, alpha, MemorySegment.ofArray(x), xOffset, xStride, MemorySegment.ofArray(y), yOffset, yStride);
    }

    /** As {@link BlasRoutines#dot}. */
    default double dot(int n, double[] x, int xOffset, int xStride, double[] y, int yOffset, int yStride) {
        return dot(n, MemorySegment.ofArray(x), xOffset, xStride, MemorySegment.ofArray(y), yOffset, yStride);
    }

    /** As {@link BlasRoutines#scal}. */
    default void scal(int n, double alpha, double[] x, int xOffset, int xStride) {
        scal(n, alpha, MemorySegment.ofArray(x), xOffset, xStride);
    }

    /** As {@link BlasRoutines#copy}. */
    default void copy(int n, double[] x, int xOffset, int xStride, double[] y, int yOffset, int yStride) {
        copy(n, MemorySegment.ofArray(x), xOffset, xStride, MemorySegment.ofArray(y), yOffset, yStride);
    }

    /** As {@link BlasRoutines#nrm2}. */
    default double nrm2(int n, double[] x, int xOffset, int xStride) {
        return nrm2(n, MemorySegment.ofArray(x), xOffset, xStride);
    }

    /** As {@link BlasRoutines#asum}. */
    default double asum(int n, double[] x, int xOffset, int xStride) {
        return asum(n, MemorySegment.ofArray(x), xOffset, xStride);
    }

    /** As {@link BlasRoutines#gemv}. */
    default void gemv(
            Transpose transpose,
            int m,
            int n,
            double alpha,
            double[] a,
            int aOffset,
            int lda,
            double[] x,
            int xOffset,
            int xStride,
            double beta,
            double[] y,
            int yOffset,
            int yStride) {
        gemv(
                transpose,
                m,
                n,
                alpha,
                MemorySegment.ofArray(a),
                aOffset,
                lda,
                MemorySegment.ofArray(x),
                xOffset,
                xStride,
                beta,
                MemorySegment.ofArray(y),
                yOffset,
                yStride);
    }

    /** As {@link BlasRoutines#ger}. */
    default void ger(
            int m,
            int n,
            double alpha,
            double[] x,
            int xOffset,
            int xStride,
            double[] y,
            int yOffset,
            int yStride,
            double[] a,
            int aOffset,
            int lda) {
        ger(
                m,
                n,
                alpha,
                MemorySegment.ofArray(x),
                xOffset,
                xStride,
                MemorySegment.ofArray(y),
                yOffset,
                yStride,
                MemorySegment.ofArray(a),
                aOffset,
                lda);
    }

    /** As {@link BlasRoutines#gemm}. */
    default void gemm(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            double alpha,
            double[] a,
            int aOffset,
            int lda,
            double[] b,
            int bOffset,
            int ldb,
            double beta,
            double[] c,
            int cOffset,
            int ldc) {
        gemm(
                transposeA,
                transposeB,
                m,
                n,
                k,
                alpha,
                MemorySegment.ofArray(a),
                aOffset,
                lda,
                MemorySegment.ofArray(b),
                bOffset,
                ldb,
                beta,
                MemorySegment.ofArray(c),
                cOffset,
                ldc);
    }

    /** As {@link BlasRoutines#syrk}. */
    default void syrk(
            Triangle triangle,
            Transpose transpose,
            int n,
            int k,
            double alpha,
            double[] a,
            int aOffset,
            int lda,
            double beta,
            double[] c,
            int cOffset,
            int ldc) {
        syrk(
                triangle,
                transpose,
                n,
                k,
                alpha,
                MemorySegment.ofArray(a),
                aOffset,
                lda,
                beta,
                MemorySegment.ofArray(c),
                cOffset,
                ldc);
    }

    /** As {@link BlasRoutines#trsm}. */
    default void trsm(
            Side side,
            Triangle triangle,
            Transpose transpose,
            Diagonal diagonal,
            int m,
            int n,
            double alpha,
            double[] a,
            int aOffset,
            int lda,
            double[] b,
            int bOffset,
            int ldb) {
        trsm(
                side,
                triangle,
                transpose,
                diagonal,
                m,
                n,
                alpha,
                MemorySegment.ofArray(a),
                aOffset,
                lda,
                MemorySegment.ofArray(b),
                bOffset,
                ldb);
    }

    /** As {@link BlasRoutines#trmm}. */
    default void trmm(
            Side side,
            Triangle triangle,
            Transpose transpose,
            Diagonal diagonal,
            int m,
            int n,
            double alpha,
            double[] a,
            int aOffset,
            int lda,
            double[] b,
            int bOffset,
            int ldb) {
        trmm(
                side,
                triangle,
                transpose,
                diagonal,
                m,
                n,
                alpha,
                MemorySegment.ofArray(a),
                aOffset,
                lda,
                MemorySegment.ofArray(b),
                bOffset,
                ldb);
    }

    /** As {@link BlasRoutines#getrf}. */
    default void getrf(int m, int n, double[] a, int aOffset, int lda, int[] pivots, int pivotsOffset) {
        getrf(m, n, MemorySegment.ofArray(a), aOffset, lda, MemorySegment.ofArray(pivots), pivotsOffset);
    }

    /** As {@link BlasRoutines#getrs}. */
    default void getrs(
            Transpose transpose,
            int n,
            int k,
            double[] a,
            int aOffset,
            int lda,
            int[] pivots,
            int pivotsOffset,
            double[] b,
            int bOffset,
            int ldb) {
        getrs(
                transpose,
                n,
                k,
                MemorySegment.ofArray(a),
                aOffset,
                lda,
                MemorySegment.ofArray(pivots),
                pivotsOffset,
                MemorySegment.ofArray(b),
                bOffset,
                ldb);
    }

    /** As {@link BlasRoutines#potrf}. */
    default void potrf(Triangle triangle, int n, double[] a, int aOffset, int lda) {
        potrf(triangle, n, MemorySegment.ofArray(a), aOffset, lda);
    }

    /** As {@link BlasRoutines#laswp}. */
    default void laswp(
            int m,
            int n,
            double[] a,
            int aOffset,
            int lda,
            int first,
            int last,
            int[] pivots,
            int pivotsOffset,
            boolean forward) {
        laswp(
                m,
                n,
                MemorySegment.ofArray(a),
                aOffset,
                lda,
                first,
                last,
                MemorySegment.ofArray(pivots),
                pivotsOffset,
                forward);
    }
}
