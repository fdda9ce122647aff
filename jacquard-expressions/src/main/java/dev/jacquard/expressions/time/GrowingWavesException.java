package dev.jacquard.expressions.time;

/**
 * No step is known to be stable, since waves grow that are short, and not the shortest fastest: the model may be meant
 * so, and bound what grows later. Where the shortest grow fastest, as with a negative diffusivity, another exception
 * says so.
 */
public final class GrowingWavesException extends ArithmeticException {
    private static final long serialVersionUID = 1;

    /** An exception with its text. */
    GrowingWavesException(String message) {
        super(message);
    }
}
