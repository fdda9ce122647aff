package dev.jacquard.memory.cache;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import org.jspecify.annotations.Nullable;

/**
 * A replica in a memory, as its {@link EvictionOrder} sees it: of which data, how large, and whether it may go.
 * Threads: as there.
 */
public abstract class CacheEntry {
    /** For the orders built in: the one that goes before this, and the one that goes after. */
    @Nullable
    CacheEntry sooner;

    @Nullable
    CacheEntry later;

    private @Nullable Object note;

    /** For engines. */
    protected CacheEntry() {}

    /** Of which data. */
    public abstract Data data();

    /** Of which part. */
    public abstract Box part();

    /** How much of the memory it takes. */
    public abstract long bytes();

    /** Returns true if no task and no copy uses it right now. */
    public abstract boolean mayGo();

    /** Returns what its order has noted. */
    public final @Nullable Object note() {
        return note;
    }

    /** Notes something, for its order alone. */
    public final void note(@Nullable Object its) {
        note = its;
    }
}
