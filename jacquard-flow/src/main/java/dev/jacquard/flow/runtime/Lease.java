package dev.jacquard.flow.runtime;

import dev.jacquard.core.data.Handle;
import dev.jacquard.flow.memory.ReleaseRule;

/** One loan of one buffer. */
final class Lease {
    final Handle<Object> handle;
    /** Who took it, for messages. */
    final String taker;
    /** Guarded by this: called by one thread at a time. */
    private final ReleaseRule rule;

    Lease(Handle<Object> handle, String taker, ReleaseRule rule) {
        this.handle = handle;
        this.taker = taker;
        this.rule = rule;
    }

    /** Asks the rule; the lock is of this loan only, so that two releases of one buffer cannot race in the user's rule. */
    synchronized boolean released() {
        return rule.released();
    }
}
