package dev.jacquard.base.concurrent;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A map of bounded size that keeps the entries used last: the last {@code most} keys that were added or found are
 * there, and at most twice as many.
 *
 * <pre>
 *  add, get --> young --(when it is full)--> old --(when young is full again)--> forgotten
 *                 ^--------- found ----------'
 * </pre>
 *
 * <p>Threads: any. A key that is found among the young ones takes no lock. Of two threads that use a key while the
 * generations change, one may miss the entry, and add another.
 *
 * @param <K> the keys, with equality by value
 * @param <V> the values
 */
public final class RecentMap<K, V> {
    private final int most;
    private volatile Generations<K, V> now = new Generations<>(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());

    private record Generations<K, V>(ConcurrentHashMap<K, V> young, ConcurrentHashMap<K, V> old) {}

    /**
     * Creates an empty map.
     *
     * @param most the number of keys used last that are kept at least, at least 1
     */
    public RecentMap(int most) {
        this.most = most;
    }

    /** Returns the value of {@code key}, which counts as used now; null if there is none, or none any more. */
    public @Nullable V get(K key) {
        Generations<K, V> all = now;
        V value = all.young.get(key);
        if (value != null) {
            return value;
        }
        V older = all.old.get(key);
        return older == null ? null : add(key, older);
    }

    /** Gives {@code key} the value, unless it has one. Returns the value that it has now. */
    public synchronized V add(K key, V value) {
        Generations<K, V> all = now;
        V known = all.young.get(key);
        if (known != null) {
            return known;
        }
        if (all.young.size() >= most) {
            all = new Generations<>(new ConcurrentHashMap<>(), all.young);
            now = all;
        }
        V older = all.old.get(key);
        V its = older == null ? value : older;
        all.young.put(key, its);
        return its;
    }

    /** Returns the entries that are kept now, as a copy. */
    public Map<K, V> entries() {
        Generations<K, V> all = now;
        Map<K, V> both = new HashMap<>(all.old);
        both.putAll(all.young);
        return both;
    }

    /** Returns the number of keys that are kept; for tests. */
    public int size() {
        return entries().size();
    }
}
