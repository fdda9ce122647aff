package dev.jacquard.memory.cache;

import dev.jacquard.memory.cache.CachePolicy.EvictionOrder;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import org.jspecify.annotations.Nullable;

/**
 * Decides which replicas leave memories that are full.
 *
 * <p>A policy may be used by several sessions; the state for one of their memories is in the orders that it makes.
 *
 * <p>Threads: {@link #order} is called while a session opens.
 */
public interface CachePolicy {
    /** Returns the default policy: the replica that was used longest ago goes first. */
    static CachePolicy leastRecentlyUsed() {
        return new ByAge("least-recently-used", true);
    }

    /**
     * Returns the policy for data that is passed over once: the oldest replica goes first, however often it is used.
     */
    static CachePolicy firstInFirstOut() {
        return new ByAge("first-in-first-out", false);
    }

    /** Returns the policy that keeps small data which is used all the time: the largest replica goes first. */
    static CachePolicy largestFirst() {
        return new LargestFirst();
    }

    /** Returns the name for users and messages: lower-case words with hyphens. */
    String name();

    /**
     * Makes the order of one memory, which is empty.
     *
     * @param memory its name: {@code host}, {@code disk} or a device's
     * @param bytes how many it may hold
     */
    EvictionOrder order(String memory, long bytes);

    /**
     * The order in which replicas leave one memory.
     *
     * <p>Threads: any, one at a time, each seeing the writes of the one before. Every method is called under the
     * engine's lock for data, on the path of every task that accesses some: it must be short, must not wait, and must
     * not call the session.
     *
     * <p>An order that throws, or names an entry that may not go, is not called again; tasks that need room fail with a
     * {@link CachePolicyException} from then on, and others go on.
     */
    interface EvictionOrder {
        /** Notes a new entry. It may be one that was removed, and stays after all. */
        void inserted(Entry entry);

        /** Notes that a task begins to use an entry, or is over with it. */
        void used(Entry entry);

        /** Notes that an entry is gone, or goes. */
        void removed(Entry entry);

        /**
         * Returns the entry that goes next, of the entries that {@linkplain Entry#mayGo may go}; null when there is
         * none. The entry stays until it is {@link #removed}.
         */
        @Nullable
        Entry victim();
    }

    /**
     * A replica in a memory, as its {@link EvictionOrder} sees it: of which data, how large, and whether it may go.
     * Threads: as there.
     */
    abstract class Entry {
        /** For the orders built in: the one that goes before this, and the one that goes after. */
        @Nullable
        Entry sooner;

        @Nullable
        Entry later;

        private @Nullable Object note;

        /** For engines. */
        protected Entry() {}

        /** Returns the data that it is a replica of. */
        public abstract Data data();

        /** Returns the part of the data that it has. */
        public abstract Box part();

        /** Returns the number of bytes that it takes. */
        public abstract long bytes();

        /** Returns true if no task and no copy uses it right now. */
        public abstract boolean mayGo();

        /** Returns the note of its order. */
        public final @Nullable Object note() {
            return note;
        }

        /** Notes something, for its order alone. */
        public final void note(@Nullable Object its) {
            note = its;
        }
    }
}
