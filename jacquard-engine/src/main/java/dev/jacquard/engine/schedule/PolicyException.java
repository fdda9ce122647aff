package dev.jacquard.engine.schedule;

import dev.jacquard.base.text.UserText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A policy, or the scheduler of a compiled graph, broke its contract, or threw: the run has ended. Every wait throws
 * it; the session can be closed.
 */
public final class PolicyException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final String policy;
    private final @Nullable String task;

    /**
     * Creates the exception of a run with a policy that broke its contract, or threw.
     *
     * @param policy its name
     * @param task the task that it concerns; null when there is none
     * @param what the policy's action, as the end of a sentence that begins with its name
     * @param cause the policy's exception; null when it threw nothing
     */
    PolicyException(String policy, @Nullable String task, String what, @Nullable Throwable cause) {
        this("policy", policy, task, what, cause);
    }

    private PolicyException(String kind, String name, @Nullable String task, String what, @Nullable Throwable cause) {
        super(kind + " \"" + name + "\" " + what + (cause == null ? "" : ": " + UserText.of(cause)), cause);
        this.policy = name;
        this.task = task;
    }

    /**
     * Returns the exception of a run with a scheduler that broke its contract, or threw; like
     * {@link #PolicyException(String, String, String, Throwable)}.
     */
    static PolicyException ofScheduler(
            String scheduler, @Nullable String task, String what, @Nullable Throwable cause) {
        return new PolicyException("scheduler", scheduler, task, what, cause);
    }

    /** For another thread that waits: the same, as seen from there. */
    public PolicyException(PolicyException first) {
        super(first.getMessage(), first);
        this.policy = first.policy;
        this.task = first.task;
    }

    /** The name of the policy, or scheduler. */
    public String policy() {
        return policy;
    }

    /** The name of the task that it concerns, when there is one. */
    public Optional<String> task() {
        return Optional.ofNullable(task);
    }
}
