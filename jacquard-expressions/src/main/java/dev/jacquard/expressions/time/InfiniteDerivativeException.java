package dev.jacquard.expressions.time;

/** No step is known to be stable, since a rate has no finite derivative somewhere, as a root has none at 0. */
public final class InfiniteDerivativeException extends ArithmeticException {
    private static final long serialVersionUID = 1;

    /** An exception with its text. */
    InfiniteDerivativeException(String message) {
        super(message);
    }
}
