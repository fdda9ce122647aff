package dev.jacquard.core.testing.random;

/** The exception of a failing body. Without a stack trace: thousands are thrown. */
final class PlannedFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    PlannedFailure(Seen its) {
        super("planned failure of " + its, null, false, false);
    }
}
