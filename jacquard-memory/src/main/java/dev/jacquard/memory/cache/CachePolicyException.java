package dev.jacquard.memory.cache;

import dev.jacquard.base.text.UserText;
import org.jspecify.annotations.Nullable;

/** A cache policy broke its contract, or threw. Tasks that need room fail with it. */
public final class CachePolicyException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final String policy;

    /**
     * For engines.
     *
     * @param policy its name
     * @param what its mistake, as the end of a sentence that begins with its name
     * @param cause the exception that it threw; null when it threw nothing
     */
    public CachePolicyException(String policy, String what, @Nullable Throwable cause) {
        super("cache policy \"" + policy + "\" " + what + (cause == null ? "" : ": " + UserText.of(cause)), cause);
        this.policy = policy;
    }

    /** The policy's name. */
    public String policy() {
        return policy;
    }
}
