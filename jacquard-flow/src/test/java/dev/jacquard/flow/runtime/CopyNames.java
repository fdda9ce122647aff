package dev.jacquard.flow.runtime;

import dev.jacquard.engine.work.Node;

/** Names the tasks that ready nodes belong to, for schedules that a test plays. */
public final class CopyNames {
    private CopyNames() {}

    /** Returns the name of the task or bookkeeper; empty if the node is no copy of one. */
    public static String of(Node node) {
        return node instanceof Wakeable copy ? copy.name() : "";
    }
}
