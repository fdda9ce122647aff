package dev.jacquard.numerics.blas;

import dev.jacquard.numerics.blas.Blas.Diagonal;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Side;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;

/**
 * The routines of BLAS and LAPACK, in one precision and one layout. Names, order of parameters and meaning are theirs;
 * an {@link Operand} stands for a pointer and the distance that follows it. A result must not overlap other operands.
 *
 * <p>Factors are doubles in both precisions, and rounded to the precision. Of a sum, a factor of zero leaves its term
 * out, whatever is there. A routine on vectors gives the same bits wherever the operands lie. Every routine throws
 * {@link IllegalArgumentException}, before anything is written, when a size is negative, a distance too short or an
 * operand too small. Safe for use by many threads at once, as long as their results do not overlap.
 *
 * @param <A> arrays of the precision
 */
public interface BlasRoutines<A> {
    /** The layout of matrices in memory. */
    Layout layout();

    /** Adds {@code alpha x} to {@code y}, both of {@code n} elements. */
    void axpy(int n, double alpha, Operand<A> x, Operand<A> y);

    /** The sum of products of {@code n} elements. */
    double dot(int n, Operand<A> x, Operand<A> y);

    /** Multiplies {@code n} elements by {@code alpha}, as IEEE 754 says: zero times no number is no number. */
    void scal(int n, double alpha, Operand<A> x);

    /** Copies {@code n} elements of {@code x} into {@code y}. */
    void copy(int n, Operand<A> x, Operand<A> y);

    /** The Euclidean length of {@code n} elements, without overflow on the way. */
    double nrm2(int n, Operand<A> x);

    /** The sum of the absolute values of {@code n} elements. */
    double asum(int n, Operand<A> x);

    /** {@code y = alpha op(A) x + beta y}, where {@code A} is m by n. */
    void gemv(Transpose transpose, int m, int n, double alpha, Operand<A> a, Operand<A> x, double beta, Operand<A> y);

    /** {@code A = A + alpha x y^T}, where {@code A} is m by n. */
    void ger(int m, int n, double alpha, Operand<A> x, Operand<A> y, Operand<A> a);

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
            Operand<A> a,
            Operand<A> b,
            double beta,
            Operand<A> c);

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
            Operand<A> a,
            double beta,
            Operand<A> c);

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
            Operand<A> a,
            Operand<A> b);

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
            Operand<A> a,
            Operand<A> b);

    /**
     * Factors {@code A}, m by n, into {@code P L U} in its place, with a unit diagonal of {@code L}: row {@code i} was
     * exchanged with row {@code pivots[i]}, counted from 1 as in LAPACK, for {@code i} from 0 to min(m, n).
     *
     * @throws Blas.SingularMatrixException when a pivot is zero; the factorisation is complete nevertheless
     */
    void getrf(int m, int n, Operand<A> a, Operand<int[]> pivots);

    /**
     * Solves {@code op(A) X = B}, with the factors of {@code A} by {@link #getrf}, n by n, for {@code X}, which takes
     * the place of {@code B}, n by k.
     */
    void getrs(Transpose transpose, int n, int k, Operand<A> a, Operand<int[]> pivots, Operand<A> b);

    /**
     * Factors {@code A}, symmetric, positive definite and n by n, of which one triangle is used, into {@code L L^T} or
     * {@code U^T U} in its place.
     *
     * @throws Blas.IndefiniteMatrixException when a leading minor is not positive; the triangle is partly overwritten
     */
    void potrf(Triangle triangle, int n, Operand<A> a);

    /**
     * Exchanges row {@code i} of {@code A}, m by n, with row {@code pivots[i]}, counted from 1, for {@code i} from
     * {@code first} to before {@code last}, or from the last to the first when not {@code forward}.
     */
    void laswp(int m, int n, Operand<A> a, int first, int last, Operand<int[]> pivots, boolean forward);
}
