package dev.jacquard.core.graph;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands for the exception of a task whose failure was reported before, where a later task was to read output that is
 * missing because of the failure. Its text is that of the exception. The stack trace and the causes were reported with
 * the failure, and are not kept.
 */
public final class PastFailureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The text kept last: tasks often fail with the same. */
    private static final AtomicReference<String> LAST = new AtomicReference<>("");

    PastFailureException(String text) {
        super(text, null, false, false);
    }

    /** Returns {@code text}, or the same text that was kept last. */
    static String shared(String text) {
        String last = LAST.get();
        if (last != null && last.equals(text)) {
            return last;
        }
        LAST.set(text);
        return text;
    }

    /** Returns the text of the exception that this one stands for. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the text names the class of that exception
    public String toString() {
        return String.valueOf(getMessage());
    }
}
