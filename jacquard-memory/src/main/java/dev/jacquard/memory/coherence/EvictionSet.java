package dev.jacquard.memory.coherence;

import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.cache.CachePolicy.Entry;
import dev.jacquard.memory.cache.CachePolicy.EvictionOrder;
import dev.jacquard.memory.cache.CachePolicyException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of one memory, but for the user's own arrays, and which of them goes next. Every change takes constant
 * time, whatever their number, except for the time of the cache policy.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 */
final class EvictionSet {
    private final String policy;
    private final Space space;
    private final List<Replica> all = new ArrayList<>();

    /** Null once it broke its contract. */
    private @Nullable EvictionOrder order;
    /** The breach of the contract: thrown to each task that needs room. */
    private @Nullable CachePolicyException broken;

    @SuppressWarnings("ConstantValue") // the policy may be a user's
    EvictionSet(CachePolicy policy, Space space) {
        this.policy = policy.name();
        this.space = space;
        try {
            this.order = policy.order(space.name, space.limit);
        } catch (RuntimeException e) {
            throw new CachePolicyException(this.policy, "threw when it was to make the order of " + space.name, e);
        }
        if (order == null) {
            throw new CachePolicyException(this.policy, "has made no order for " + space.name + ", but null", null);
        }
    }

    void add(Replica replica) {
        replica.slot = all.size();
        all.add(replica);
        tell(replica, " is there", its -> its.inserted(replica));
    }

    /** Removes a replica and frees its memory. */
    void giveBack(Replica replica) {
        remove(replica);
        space.free(replica.memory);
        space.used -= replica.bytes;
        space.leaving -= replica.leaving ? replica.bytes : 0;
        replica.leaving = false;
    }

    private void remove(Replica replica) {
        Replica last = all.removeLast();
        if (last != replica) {
            all.set(replica.slot, last);
            last.slot = replica.slot;
        }
        replica.slot = -1;
        if (!replica.leaving) {
            tell(replica, " is gone", its -> its.removed(replica));
        }
    }

    /** Notes that a replica is about to go, so that the policy cannot choose it any more. */
    void leaves(Replica replica) {
        replica.leaving = true;
        space.leaving += replica.bytes;
        tell(replica, " goes", its -> its.removed(replica));
    }

    /** Notes that a replica which was about to go stays. */
    void stays(Replica replica) {
        replica.leaving = false;
        space.leaving -= replica.bytes;
        tell(replica, " stays", its -> its.inserted(replica));
    }

    void used(Replica replica) {
        EvictionOrder its = replica.leaving ? null : order; // the policy cannot choose a leaving replica
        if (its != null) {
            try {
                its.used(replica);
            } catch (RuntimeException | Error e) {
                breaks("threw when notified of a use of " + replica, e);
            }
        }
    }

    /**
     * Returns the replica that goes next; null when none may.
     *
     * @throws CachePolicyException when the policy broke its contract, now or before
     */
    @Nullable
    Replica victim() {
        Entry named = null;
        EvictionOrder its = order;
        if (its != null) {
            try {
                named = its.victim();
            } catch (RuntimeException | Error e) {
                breaks("threw when asked which replica is to leave " + space.name, e);
            }
        }
        if (named != null && (!(named instanceof Replica replica) || replica.space != space || !replica.mayGo())) {
            breaks(
                    "says that " + named + " is to leave " + space.name
                            + ", which is in use, or is not there: it must name one that was inserted, was not removed,"
                            + " and may go",
                    null);
        }
        if (broken != null) {
            throw broken;
        }
        return (Replica) named;
    }

    /** A list of the caller's own. */
    List<Replica> all() {
        return new ArrayList<>(all);
    }

    private interface News {
        void tell(EvictionOrder order);
    }

    private void tell(Replica replica, String what, News news) {
        EvictionOrder its = order;
        if (its != null) {
            try {
                news.tell(its);
            } catch (RuntimeException | Error e) {
                breaks("threw when notified that " + replica + what, e);
            }
        }
    }

    private void breaks(String what, @Nullable Throwable cause) {
        order = null;
        broken = new CachePolicyException(policy, what, cause);
    }
}
