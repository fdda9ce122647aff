package dev.jacquard.components.program;

/**
 * The work of a component or an application failed by no fault of its code: a solution that grows without bounds, say.
 * The message names the failure, its place, and a remedy; the command line shows it alone and ends with exit code 1.
 */
public final class WorkFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param message of one sentence or more, which stands alone */
    public WorkFailedException(String message) {
        super(message);
    }
}
