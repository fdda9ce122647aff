package dev.jacquard.numerics.blas;

import dev.jacquard.numerics.blas.Blas.Diagonal;
import dev.jacquard.numerics.blas.Blas.Side;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;
import java.lang.foreign.MemorySegment;

/**
 * The routines on arrays, too: an array stands for {@link MemorySegment#ofArray} of the array.
 *
 * @param <A> arrays of the precision
 */
interface ArrayBlas<A> extends BlasRoutines {
    /** Returns the memory that {@code array} stands for. */
    MemorySegment segment(A array);

    /** As {@link BlasRoutines#axpy}. */
    default void axpy(int n, double alpha, A x, int xOffset, int xStride, A y, int yOffset, int yStride) {
        axpy(n, alpha, segment(x), xOffset, xStride, segment(y), yOffset, yStride);
    }

    /** As {@link BlasRoutines#dot}. */
    default double dot(int n, A x, int xOffset, int xStride, A y, int yOffset, int yStride) {
        return dot(n, segment(x), xOffset, xStride, segment(y), yOffset, yStride);
    }

    /** As {@link BlasRoutines#scal}. */
    default void scal(int n, double alpha, A x, int xOffset, int xStride) {
        scal(n, alpha, segment(x), xOffset, xStride);
    }

    /** As {@link BlasRoutines#copy}. */
    default void copy(int n, A x, int xOffset, int xStride, A y, int yOffset, int yStride) {
        copy(n, segment(x), xOffset, xStride, segment(y), yOffset, yStride);
    }

    /** As {@link BlasRoutines#nrm2}. */
    default double nrm2(int n, A x, int xOffset, int xStride) {
        return nrm2(n, segment(x), xOffset, xStride);
    }

    /** As {@link BlasRoutines#asum}. */
    default double asum(int n, A x, int xOffset, int xStride) {
        return asum(n, segment(x), xOffset, xStride);
    }

    /** As {@link BlasRoutines#gemv}. */
    default void gemv(
            Transpose transpose,
            int m,
            int n,
            double alpha,
            A a,
            int aOffset,
            int lda,
            A x,
            int xOffset,
            int xStride,
            double beta,
            A y,
            int yOffset,
            int yStride) {
        gemv(
                transpose,
                m,
                n,
                alpha,
                segment(a),
                aOffset,
                lda,
                segment(x),
                xOffset,
                xStride,
                beta,
                segment(y),
                yOffset,
                yStride);
    }

    /** As {@link BlasRoutines#ger}. */
    default void ger(
            int m,
            int n,
            double alpha,
            A x,
            int xOffset,
            int xStride,
            A y,
            int yOffset,
            int yStride,
            A a,
            int aOffset,
            int lda) {
        ger(m, n, alpha, segment(x), xOffset, xStride, segment(y), yOffset, yStride, segment(a), aOffset, lda);
    }

    /** As {@link BlasRoutines#gemm}. */
    default void gemm(
            Transpose transposeA,
            Transpose transposeB,
            int m,
            int n,
            int k,
            double alpha,
            A a,
            int aOffset,
            int lda,
            A b,
            int bOffset,
            int ldb,
            double beta,
            A c,
            int cOffset,
            int ldc) {
        gemm(
                transposeA,
                transposeB,
                m,
                n,
                k,
                alpha,
                segment(a),
                aOffset,
                lda,
                segment(b),
                bOffset,
                ldb,
                beta,
                segment(c),
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
            A a,
            int aOffset,
            int lda,
            double beta,
            A c,
            int cOffset,
            int ldc) {
        syrk(triangle, transpose, n, k, alpha, segment(a), aOffset, lda, beta, segment(c), cOffset, ldc);
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
            A a,
            int aOffset,
            int lda,
            A b,
            int bOffset,
            int ldb) {
        trsm(side, triangle, transpose, diagonal, m, n, alpha, segment(a), aOffset, lda, segment(b), bOffset, ldb);
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
            A a,
            int aOffset,
            int lda,
            A b,
            int bOffset,
            int ldb) {
        trmm(side, triangle, transpose, diagonal, m, n, alpha, segment(a), aOffset, lda, segment(b), bOffset, ldb);
    }

    /** As {@link BlasRoutines#getrf}. */
    default void getrf(int m, int n, A a, int aOffset, int lda, int[] pivots, int pivotsOffset) {
        getrf(m, n, segment(a), aOffset, lda, MemorySegment.ofArray(pivots), pivotsOffset);
    }

    /** As {@link BlasRoutines#getrs}. */
    default void getrs(
            Transpose transpose,
            int n,
            int k,
            A a,
            int aOffset,
            int lda,
            int[] pivots,
            int pivotsOffset,
            A b,
            int bOffset,
            int ldb) {
        getrs(
                transpose,
                n,
                k,
                segment(a),
                aOffset,
                lda,
                MemorySegment.ofArray(pivots),
                pivotsOffset,
                segment(b),
                bOffset,
                ldb);
    }

    /** As {@link BlasRoutines#potrf}. */
    default void potrf(Triangle triangle, int n, A a, int aOffset, int lda) {
        potrf(triangle, n, segment(a), aOffset, lda);
    }

    /** As {@link BlasRoutines#laswp}. */
    default void laswp(
            int m,
            int n,
            A a,
            int aOffset,
            int lda,
            int first,
            int last,
            int[] pivots,
            int pivotsOffset,
            boolean forward) {
        laswp(m, n, segment(a), aOffset, lda, first, last, MemorySegment.ofArray(pivots), pivotsOffset, forward);
    }
}
