package dev.jacquard.numerics.blas;

/** A factorisation met a leading minor that is not positive: the matrix is not positive definite. */
public final class IndefiniteMatrixException extends ArithmeticException {
    private static final long serialVersionUID = 1;

    private final int minor;

    /** The leading minor of order {@code minor}, of a matrix of order {@code order}, is not positive. */
    public IndefiniteMatrixException(int minor, int order) {
        super("the matrix is not positive definite: its leading minor of order " + minor + " of " + order
                + " is not positive");
        this.minor = minor;
    }

    /** The order of the first leading minor that is not positive. */
    public int minor() {
        return minor;
    }
}
