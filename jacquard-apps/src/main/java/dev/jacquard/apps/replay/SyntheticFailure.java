package dev.jacquard.apps.replay;

/** Thrown by the body of a task that is to fail. Has no stack trace: its origin is known. */
final class SyntheticFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    SyntheticFailure(String task) {
        super("task \"" + task + "\" is described as failing", null, false, false);
    }
}
