package dev.jacquard.base.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * The error that left something half done, for want of stack or memory, and by which the {@linkplain SpinLock locks}
 * around it may be taken for good. Threads: any.
 */
public class Breakage {
    /**
     * The error; null as long as all is whole. Never unset. A field, since its writer has a full stack and may have no
     * room for a call.
     */
    public volatile @Nullable Throwable by;

    /** Nothing is broken yet. */
    public Breakage() {}
}
