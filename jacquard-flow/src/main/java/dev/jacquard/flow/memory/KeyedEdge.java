package dev.jacquard.flow.memory;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A memory edge that lends buffers by key, and keeps their contents while there is room: a take of a key that is there
 * lends its buffer again, also to several holders at once; otherwise the {@link Loader} fills a free buffer, or the
 * buffer of a key that the {@link EvictionPolicy} gives up. A lent buffer keeps its key. Holders only read.
 *
 * <p>A loader may take from edges that were made before its own edge: a hierarchy of memories is a chain of keyed
 * edges. The task declares all of them.
 *
 * <p>Each loan counts, so a task that declares {@code takes(edge, n)} is granted n buffers even if the keys are there.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <K> the type of the keys, with {@code equals} and {@code hashCode}
 * @param <T> the type of a buffer
 */
public final class KeyedEdge<K, T> extends MemoryEdge<T> {
    private final Loader<K, T> loader;
    private Supplier<? extends EvictionPolicy<K>> policy = EvictionPolicy::leastRecentlyUsed;

    private KeyedEdge(String name, int size, Allocator<T> allocator, @Nullable Layout layout, Loader<K, T> loader) {
        super(name, size, allocator, layout);
        this.loader = loader;
    }

    /** Creates an edge of {@code size} buffers, which are allocated at the start of a run. For the graph builder. */
    public static <K, T> KeyedEdge<K, T> of(String name, int size, Allocator<T> allocator, Loader<K, T> loader) {
        return new KeyedEdge<>(name, size, allocator, null, loader);
    }

    /** Creates an edge of {@code size} buffers of data that the session makes. For the graph builder. */
    public static <K> KeyedEdge<K, Data> ofData(String name, int size, Layout layout, Loader<K, Data> loader) {
        return new KeyedEdge<>(name, size, ofSession(name), layout, loader);
    }

    /** Sets the policy, of which each run makes its own; {@link EvictionPolicy#leastRecentlyUsed} unless stated. */
    public KeyedEdge<K, T> evicts(Supplier<? extends EvictionPolicy<K>> by) {
        policy = Objects.requireNonNull(by, "policy");
        return this;
    }

    /**
     * Not supported.
     *
     * @throws UnsupportedOperationException always, since the buffers stay while keys change
     */
    @Override
    public KeyedEdge<K, T> dynamic() {
        throw new UnsupportedOperationException("memory edge \"" + name()
                + "\" keeps buffers by key, so that it cannot allocate at each take: leave out dynamic()");
    }

    /**
     * Not supported.
     *
     * @throws UnsupportedOperationException always, since loaders run inside tasks
     */
    @Override
    public KeyedEdge<K, T> takenOutside() {
        throw new UnsupportedOperationException("memory edge \"" + name()
                + "\" loads keys inside tasks, so that code outside of the graph cannot take: let a task take");
    }

    @Override
    public KeyedEdge<K, T> releasedOutside() {
        super.releasedOutside();
        return this;
    }

    @Override
    public KeyedEdge<K, T> atLeast(int buffers, String why) {
        super.atLeast(buffers, why);
        return this;
    }

    /** Returns the loader of the buffers. */
    public Loader<K, T> loader() {
        return loader;
    }

    /** Returns a new policy for a run. */
    public EvictionPolicy<K> newPolicy() {
        return policy.get();
    }

    /**
     * Fills a buffer with the contents of a key.
     *
     * <p>Threads: the threads of the bodies that take call it, several at once for different keys. Other takers of the
     * same key wait with their threads until it returns.
     *
     * @param <K> the type of the keys
     * @param <T> the type of a buffer
     */
    @FunctionalInterface
    public interface Loader<K, T> {
        /**
         * Fills {@code buffer}, which may hold the contents of another key. An exception fails the item that takes.
         *
         * @param item the resources of the item whose body takes: to take from edges made before this one, which the
         *     task declares, and to release these; to submit the tasks that fill data
         */
        void load(K key, T buffer, ItemResources item) throws Exception;
    }
}
