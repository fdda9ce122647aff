package dev.jacquard.core.compiled;

import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.memory.access.AccessList;
import org.jspecify.annotations.Nullable;

/**
 * A task of a graph that is not built yet.
 *
 * @param name for messages, traces and drawings
 * @param accesses the accesses that the task declares
 * @param decision the decision that the task makes; null for none
 * @param inner the run of the inner graph that the task stands for; null for none
 * @param staged brings the task's data; null when the task has none
 */
record Draft(
        String name,
        KernelBody body,
        AccessList accesses,
        @Nullable Decision decision,
        @Nullable InnerRun inner,
        @Nullable StagedStep staged) {
    /** Returns true if the task's work is a device's. */
    boolean isDevices() {
        return staged != null && staged.launches();
    }

    TaskTraits traits(int index, Guard[] guards, boolean claimedByRun, Standing standing) {
        return new TaskTraits(name, index, accesses, guards, decision, inner, staged, claimedByRun, standing);
    }
}
