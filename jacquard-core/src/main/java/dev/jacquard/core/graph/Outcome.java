package dev.jacquard.core.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Why a task did not end well. Immutable, and holds no task, so that it keeps nothing alive.
 *
 * @param task the task's name
 * @param error what its body threw; null when it was cancelled
 * @param details worker and accesses, for the message
 * @param because why it was cancelled; null when it failed itself, or when the whole graph was cancelled
 * @param depth how many cancelled tasks lie between this and the one that failed
 */
record Outcome(
        String task,
        @Nullable Throwable error,
        String details,
        @Nullable Outcome because,
        int depth) {
    /** How many tasks of a path a message names. */
    private static final int NAMED = 8;

    static Outcome failed(String task, Throwable error, String details) {
        return new Outcome(task, error, details, null, 0);
    }

    static Outcome cancelled(String task, @Nullable Outcome because) {
        return new Outcome(task, null, "", because, because == null ? 0 : because.depth + 1);
    }

    boolean isFailure() {
        return error != null;
    }

    /** The failure at the start of the path; null when the graph was cancelled. */
    @Nullable
    Outcome root() {
        Outcome at = this;
        while (at.because != null) {
            at = at.because;
        }
        return at.isFailure() ? at : null;
    }

    /** The names from the failed task to this one, the middle left out when there are many. */
    String path() {
        Deque<String> names = new ArrayDeque<>();
        int position = 0;
        for (Outcome at = this; at != null; at = at.because, position++) {
            boolean near = position < NAMED / 2;
            boolean far = position > depth - NAMED / 2;
            if (near || far) {
                names.addFirst('"' + at.task + '"');
            } else if (position == NAMED / 2) {
                names.addFirst("… " + (depth + 1 - NAMED) + " more …");
            }
        }
        return String.join(" -> ", names);
    }
}
