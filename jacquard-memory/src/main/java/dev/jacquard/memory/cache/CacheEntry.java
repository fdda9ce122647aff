package dev.jacquard.memory.cache;

import dev.jacquard.memory.cache.CachePolicy.EvictionOrder;
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

    /** Returns the data that it is a replica of. */
    public abstract Data data();

    /** Returns the part of the data that it has. */
    public abstract Box part();

    /** Returns the number of bytes that it takes. */
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
