package dev.jacquard.memory.cache;

import dev.jacquard.memory.cache.CachePolicy.Entry;
import dev.jacquard.memory.cache.CachePolicy.EvictionOrder;
import org.jspecify.annotations.Nullable;

/**
 * The oldest replica goes first.
 *
 * @param name of the policy
 * @param renewed true if use makes a replica young again
 */
record ByAge(String name, boolean renewed) implements CachePolicy {
    @Override
    public EvictionOrder order(String memory, long bytes) {
        EntryList entries = new EntryList();
        return new EvictionOrder() {
            @Override
            public void inserted(Entry entry) {
                entries.add(entry);
            }

            @Override
            public void used(Entry entry) {
                if (renewed) {
                    entries.moveToEnd(entry);
                }
            }

            @Override
            public void removed(Entry entry) {
                entries.remove(entry);
            }

            @Override
            public @Nullable Entry victim() {
                return entries.firstThatMayGo();
            }
        };
    }
}
