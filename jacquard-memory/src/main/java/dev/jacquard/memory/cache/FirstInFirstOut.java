package dev.jacquard.memory.cache;

import dev.jacquard.memory.cache.CachePolicy.EvictionOrder;
import org.jspecify.annotations.Nullable;

/** The policy for data that is passed over once: the oldest replica goes first, however often it is used. */
public final class FirstInFirstOut implements CachePolicy {
    /** Makes the policy, which has no options. */
    public FirstInFirstOut() {}

    @Override
    public String name() {
        return "first-in-first-out";
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
            public void used(CacheEntry entry) {}

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
