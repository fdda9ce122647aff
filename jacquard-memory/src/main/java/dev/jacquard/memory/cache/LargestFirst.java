package dev.jacquard.memory.cache;

import dev.jacquard.memory.cache.CachePolicy.Entry;
import dev.jacquard.memory.cache.CachePolicy.EvictionOrder;
import java.util.Comparator;
import java.util.Iterator;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The policy that keeps small data which is used all the time: the largest replica goes first, so that few have to; of
 * equal ones the one that was used longest ago.
 */
final class LargestFirst implements CachePolicy {
    @Override
    public String name() {
        return "largest-first";
    }

    @Override
    public EvictionOrder order(String memory, long bytes) {
        TreeMap<Long, EntryList> bySize = new TreeMap<>(Comparator.reverseOrder());
        return new EvictionOrder() {
            @Override
            public void inserted(Entry entry) {
                bySize.computeIfAbsent(entry.bytes(), any -> new EntryList()).add(entry);
            }

            @Override
            public void used(Entry entry) {
                bySize.computeIfAbsent(entry.bytes(), any -> new EntryList()).moveToEnd(entry);
            }

            @Override
            public void removed(Entry entry) {
                EntryList same = bySize.get(entry.bytes());
                if (same != null) {
                    same.remove(entry);
                    if (same.isEmpty()) {
                        bySize.remove(entry.bytes());
                    }
                }
            }

            @Override
            public @Nullable Entry victim() {
                Entry found = null;
                for (Iterator<EntryList> sizes = bySize.values().iterator(); found == null && sizes.hasNext(); ) {
                    found = sizes.next().firstThatMayGo();
                }
                return found;
            }
        };
    }
}
