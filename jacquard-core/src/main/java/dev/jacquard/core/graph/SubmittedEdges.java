package dev.jacquard.core.graph;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The edges of the task that a scope is registering, to earlier tasks; see {@link LinkedNode}.
 *
 * <p>The first edge of a plain task is put off until all are known. If it stays the only one, its link is the last step
 * of the submission, and the task's counter needs no bias: one atomic operation less for each task of a chain.
 *
 * <p>Guarded by the scope's lock. Everything is kept away from the cache lines of the scope's fields, since workers
 * read these whenever a task ends.
 */
final class SubmittedEdges {
    private static final int PLACE = 32;

    /** In place of a number of edges: there is none so far, and the first is put off. */
    private static final int NONE = Integer.MIN_VALUE;
    /** Flags in addition to {@link #NONE}: an edge was put off, it carries failures, it is explicit. */
    private static final int ONE = 1;

    private static final int CARRIES_FAILURE = 2;
    private static final int EXPLICIT = 4;

    /** At {@link #PLACE}, the number of edges that were added, or flags; 0 between submissions. */
    private final int[] known = new int[2 * PLACE];
    /** At {@link #PLACE}, the earlier end of the edge that is put off; null for none. */
    private final @Nullable TaskNode[] putOff = new @Nullable TaskNode[2 * PLACE];

    /**
     * Begins with another task.
     *
     * @param held true if there is an edge of the submitter's
     * @param special true if each edge is to be added at once: others may look at the task concurrently
     */
    void begin(boolean held, boolean special) {
        known[PLACE] = held ? 1 : special ? 0 : NONE;
    }

    /** Adds an edge, unless {@code earlier} is over. */
    void add(TaskNode earlier, TaskNode later, boolean carriesFailure, boolean explicit) {
        if (known[PLACE] == NONE) {
            known[PLACE] = NONE | ONE | (carriesFailure ? CARRIES_FAILURE : 0) | (explicit ? EXPLICIT : 0);
            putOff[PLACE] = earlier;
        } else {
            addPutOff(later);
            link(earlier, later, carriesFailure, explicit);
        }
    }

    /** Counts an edge that has no task as its earlier end. */
    void count(TaskNode later) {
        addPutOff(later);
        known[PLACE]++;
    }

    /** Ends the registration. Returns true if the task is ready; if not, it may run, and be over, at once. */
    boolean commit(TaskNode task) {
        int its = known[PLACE];
        known[PLACE] = 0;
        boolean one = its < 0 && (its & ONE) != 0;
        return one
                ? !task.waitFor(takePutOff(), (its & CARRIES_FAILURE) != 0, (its & EXPLICIT) != 0)
                : task.commit(Math.max(0, its));
    }

    private void link(TaskNode earlier, TaskNode later, boolean carriesFailure, boolean explicit) {
        if (earlier.addLink(later, carriesFailure, explicit)) {
            known[PLACE]++;
            LaunchAhead.linked(earlier, later);
        }
    }

    /** Adds the edge that was put off, if any: it is not the only one. */
    private void addPutOff(TaskNode later) {
        int its = known[PLACE];
        if (its < 0) {
            known[PLACE] = 0;
            if ((its & ONE) != 0) {
                link(takePutOff(), later, (its & CARRIES_FAILURE) != 0, (its & EXPLICIT) != 0);
            }
        }
    }

    private TaskNode takePutOff() {
        TaskNode earlier = Objects.requireNonNull(putOff[PLACE]);
        putOff[PLACE] = null;
        return earlier;
    }
}
