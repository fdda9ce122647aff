package dev.jacquard.engine.schedule;

import dev.jacquard.base.text.UserText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A policy broke its contract, or threw: the run has ended. Every wait throws it; the session can be closed. */
public final class PolicyException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final String policy;
    private final @Nullable String task;

    /**
     * For engines.
     *
     * @param policy its name
     * @param task the task that it concerns; null when there is none
     * @param what what the policy did, as the end of a sentence that begins with its name
     * @param cause what it threw; null when it threw nothing
     */
    public PolicyException(String policy, @Nullable String task, String what, @Nullable Throwable cause) {
        super("policy \"" + policy + "\" " + what + (cause == null ? "" : ": " + UserText.of(cause)), cause);
        this.policy = policy;
        this.task = task;
    }

    /** For another thread that waits: the same, as seen from there. */
    public PolicyException(PolicyException first) {
        super(first.getMessage(), first);
        this.policy = first.policy;
        this.task = first.task;
    }

    /** The policy's name. */
    public String policy() {
        return policy;
    }

    /** The name of the task that it concerns, when there is one. */
    public Optional<String> task() {
        return Optional.ofNullable(task);
    }
}
