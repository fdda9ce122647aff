package dev.jacquard.memory.cache;

import dev.jacquard.memory.cache.CachePolicy.EvictionOrder;
import org.jspecify.annotations.Nullable;

/** The default policy: the replica that was used longest ago goes first. */
public final class LeastRecentlyUsed implements CachePolicy {
    /** Makes the policy, which has no options. */
    public LeastRecentlyUsed() {}

    @Override
    public String name() {
        return "least-recently-used";
    }

    @Override
    public EvictionOrder order(String memory, long bytes) {
        EntryList entries = new EntryList();
        return new EvictionOrder() {
            @Override
            public void inserted(CacheEntry entry) {
                entries.add(entry);
            }

            @Override
            public void used(CacheEntry entry) {
                entries.moveToEnd(entry);
            }

            @Override
            public void removed(CacheEntry entry) {
                entries.remove(entry);
            }

            @Override
            public @Nullable CacheEntry victim() {
                return entries.firstThatMayGo();
            }
        };
    }
}
