package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.text.UserText;
import dev.jacquard.flow.memory.EvictionPolicy;
import dev.jacquard.flow.memory.ItemResources;
import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.KeyedEdge.Loader;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a keyed edge in one run.
 *
 * <pre>
 *  empty --loader--> held --last holder releases--> idle --same key--> held
 *    ^                                               |
 *    |  loader threw                                 +--policy, loader--> held, of another key
 * </pre>
 *
 * <p>The ledger has granted a buffer for each take, so at most size - 1 buffers are held when a take looks here, and
 * one is empty or idle. A thread waits for a loader of another thread. Loaders wait only for loaders of edges before
 * theirs.
 *
 * <p>Threads: all fields that are not constant are guarded by this. The policy, and {@code equals} and {@code hashCode}
 * of keys, are called under this lock; loaders and allocators are not.
 */
final class KeyedBuffers {
    private final String name;
    private final Loader<Object, Object> loader;
    private final EvictionPolicy<Object> policy;
    private final Allocator<Object> allocator;

    private final Map<Object, Slot> slots = new HashMap<>();
    /** The slots without a holder, the least recently used first. */
    private final SequencedMap<Object, Slot> idle = new LinkedHashMap<>();
    /** The buffers without a key. */
    private final ArrayDeque<Object> empty = new ArrayDeque<>();

    private long loads;

    /** A buffer with its key. */
    static final class Slot {
        private final Object key;
        final Object buffer;
        private final boolean reused;
        private int holders = 1;
        /** The thread that fills the buffer; null once it is filled, or if that failed. */
        private @Nullable Thread loading = Thread.currentThread();

        private boolean failed;

        Slot(Object key, Object buffer, boolean reused) {
            this.key = key;
            this.buffer = buffer;
            this.reused = reused;
        }
    }

    KeyedBuffers(String name, KeyedEdge<Object, Object> edge, Allocator<Object> allocator) {
        this.name = name;
        this.loader = edge.loader();
        this.policy = edge.newPolicy();
        this.allocator = allocator;
    }

    /** Adds a buffer without a key. Called before the start. */
    synchronized void add(Object buffer) {
        empty.add(buffer);
    }

    /**
     * Returns the slot of {@code key}, with one holder more; loads the key if it is not there.
     *
     * @param item the resources of the item that takes
     * @throws IllegalStateException if the loader or the policy fails
     */
    Slot take(Object key, ItemResources item) {
        synchronized (this) {
            policy.taken(key);
        }
        Slot slot = hold(key);
        while (slot.failed) { // another thread's attempt: the failure is that of its item
            slot = hold(key);
        }
        if (slot.loading != null) {
            load(slot, item);
        }
        return slot;
    }

    /** Returns the slot of {@code key}, which this thread is to load, or which another thread has loaded. */
    private synchronized Slot hold(Object key) {
        Slot slot = slots.get(key);
        if (slot == null) {
            boolean evicts = empty.isEmpty();
            slot = new Slot(key, evicts ? evict() : empty.remove(), evicts);
            slots.put(key, slot);
            return slot;
        }
        if (slot.loading == Thread.currentThread()) {
            throw new IllegalStateException("the loader of memory edge \"" + name + "\" takes key " + UserText.of(key)
                    + ", which it is loading: fill the buffer that it was given");
        }
        slot.holders++;
        idle.remove(key);
        Slot its = slot;
        Threads.await(this, () -> its.loading == null);
        return slot;
    }

    /** Removes an idle key; returns its buffer. */
    @SuppressWarnings("ConstantValue") // users may not check for nulls
    private Object evict() {
        Object victim;
        try {
            victim = policy.victim(Collections.unmodifiableSequencedSet(idle.sequencedKeySet()));
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "the eviction policy of memory edge \"" + name + "\" failed: " + UserText.of(e), e);
        }
        Slot slot = victim == null ? null : idle.remove(victim);
        if (slot == null) {
            throw new IllegalStateException("the eviction policy of memory edge \"" + name + "\" chose key " + victim
                    + ", which is lent or not there: choose one of the idle keys " + idle.keySet());
        }
        slots.remove(victim);
        return slot.buffer;
    }

    private void load(Slot slot, ItemResources item) {
        Throwable problem = null;
        try {
            if (slot.reused) {
                allocator.recycle(slot.buffer);
            }
            loader.load(slot.key, slot.buffer, item);
        } catch (Throwable t) {
            problem = t;
        }
        synchronized (this) {
            if (problem == null) {
                loads++;
            } else {
                slots.remove(slot.key);
                empty.add(slot.buffer);
                slot.failed = true;
            }
            slot.loading = null;
            notifyAll();
        }
        if (problem instanceof Error error) {
            throw error;
        }
        if (problem != null) {
            throw new IllegalStateException(
                    "key " + UserText.of(slot.key) + " of memory edge \"" + name + "\" cannot be loaded: "
                            + UserText.of(problem),
                    problem);
        }
    }

    /** Removes one holder. */
    synchronized void release(Slot slot) {
        slot.holders--;
        if (slot.holders == 0) {
            idle.put(slot.key, slot);
        }
    }

    /** Returns the number of keys that were loaded so far. */
    synchronized long loads() {
        return loads;
    }

    /** Removes and returns all buffers, at the end of the run. */
    synchronized List<Object> removeAll() {
        List<Object> all = new ArrayList<>(empty);
        slots.values().forEach(slot -> all.add(slot.buffer));
        empty.clear();
        slots.clear();
        idle.clear();
        return all;
    }
}
