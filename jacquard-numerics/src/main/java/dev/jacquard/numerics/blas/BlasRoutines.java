package dev.jacquard.numerics.blas;

import dev.jacquard.numerics.blas.Blas.Diagonal;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Side;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;
import java.lang.foreign.MemorySegment;

/**
 * The routines of BLAS and LAPACK, in one precision and one layout. Names, order of parameters and meaning are theirs.
 *
 * <p>An operand is memory, the place of its first element counted in elements, and a distance: from one element to the
 * next for a vector, the leading dimension for a matrix. So a tile of a larger matrix is an operand as it is. Memory
 * may be native or, by {@link MemorySegment#ofArray}, an array of the heap; elements have this object's precision. A
 * result must not overlap other operands.
 *
 * <p>Factors are doubles in both precisions, and rounded to the precision. Every routine throws
 * {@link IllegalArgumentException}, before anything is written, when a size is negative, a distance too short or an
 * operand too small. Safe for use by many threads at once, as long as their results do not overlap.
 */
public interface BlasRoutines {
    /** The layout of matrices in memory. */
    Layout layout();

    /** Adds {@code alpha x} to {@code y}, both of {@code n} elements. */
    void axpy(
            int n,
            double alpha,
            MemorySegment x,
            long xOffset,
            int xStride,
            MemorySegment y,
            long yOffset,
            int yStride);

    /** The sum of products of {@code n} elements. */
    double dot(int n, MemorySegment x, long xOffset, int xStride, MemorySegment y, long yOffset, int yStride);

    /** Multiplies {@code n} elements by {@code alpha}. */
    void scal(int n, double alpha, MemorySegment x, long xOffset, int xStride);

    /** Copies {@code n} elements of {@code x} into {@code y}. */
    void copy(int n, MemorySegment x, long xOffset, int xStride, MemorySegment y, long yOffset, int yStride);

    /** The Euclidean length of {@code n} elements, without overflow on the way. */
    double nrm2(int n, MemorySegment x, long xOffset, int xStride);

    /** The sum of the absolute values of {@code n} elements. */
    double asum(int n, MemorySegment x, long xOffset, int xStride);

    /** {@code y = alpha op(A) x + beta y}, where {@code A} is m by n. */
    void gemv(
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
            int yStride);

    /** {@code A = A + alpha x y^T}, where {@code A} is m by n. */
    void ger(
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
            int lda);

    /**
     * {@code C = alpha op(A) op(B) + beta C}, where {@code C} is m by n, {@code op(A)} m by k and {@code op(B)} k by n.
     */
    void gemm(
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
            int ldc);

    /**
     * One triangle of {@code C = alpha A A^T + beta C}, where {@code A} is n by k; transposed {@code alpha A^T A + beta
     * C}, where it is k by n.
     */
    void syrk(
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
            int ldc);

    /**
     * Solves {@code op(A) X = alpha B}, on the right {@code X op(A) = alpha B}, for {@code X}, which takes the place of
     * {@code B}, m by n. {@code A} is triangular, not checked for zeros on its diagonal.
     */
    void trsm(
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
            int ldb);

    /**
     * {@code B = alpha op(A) B}, on the right {@code alpha B op(A)}, where {@code A} is triangular and {@code B} m by
     * n.
     */
    void trmm(
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
            int ldb);

    /**
     * Factors {@code A}, m by n, into {@code P L U} in its place, with a unit diagonal of {@code L}: row {@code i} was
     * exchanged with row {@code pivots[i]}, counted from 1 as in LAPACK, for {@code i} from 0 to min(m, n).
     *
     * @throws SingularMatrixException when a pivot is zero; the factorisation is complete nevertheless
     */
    void getrf(int m, int n, MemorySegment a, long aOffset, int lda, MemorySegment pivots, long pivotsOffset);

    /**
     * Solves {@code op(A) X = B}, with what {@link #getrf} made of {@code A}, n by n, for {@code X}, which takes the
     * place of {@code B}, n by k.
     */
    void getrs(
            Transpose transpose,
            int n,
            int k,
            MemorySegment a,
            long aOffset,
            int lda,
            MemorySegment pivots,
            long pivotsOffset,
            MemorySegment b,
            long bOffset,
            int ldb);

    /**
     * Factors {@code A}, symmetric, positive definite and n by n, of which one triangle is used, into {@code L L^T} or
     * {@code U^T U} in its place.
     *
     * @throws IndefiniteMatrixException when a leading minor is not positive; the triangle is partly overwritten
     */
    void potrf(Triangle triangle, int n, MemorySegment a, long aOffset, int lda);

    /**
     * Exchanges row {@code i} of {@code A}, m by n, with row {@code pivots[i]}, counted from 1, for {@code i} from
     * {@code first} to before {@code last}, or from the last to the first when not {@code forward}.
     */
    void laswp(
            int m,
            int n,
            MemorySegment a,
            long aOffset,
            int lda,
            int first,
            int last,
            MemorySegment pivots,
            long pivotsOffset,
            boolean forward);
}
