package dev.jacquard.core.graph;

import java.util.HashSet;
import java.util.Set;

/** The tags that tasks of one scope have had. Guarded by the lock of the scope. */
final class Tags {
    /** With more, which loops that make tags have, none counts as missing. */
    private static final int MOST = 10_000;

    private final Set<String> had = new HashSet<>();

    /**
     * A task that waits for the first member of a tag. It counts an edge for that, which the member takes over.
     *
     * @param scope where the member must be submitted
     * @param tag its tag
     * @param task the task that waits
     */
    record Awaited(Scope scope, String tag, Task task) {
        /** Returns whether tasks with {@code with}, submitted to {@code where}, are what the task waits for. */
        boolean isFor(Scope where, String with) {
            return scope == where && tag.equals(with);
        }
    }

    void add(String tag) {
        if (had.size() < MOST) {
            had.add(tag);
        }
    }

    /** True if a task has had the tag, as far as that is known. */
    boolean knows(String tag) {
        return had.size() >= MOST || had.contains(tag);
    }
}
