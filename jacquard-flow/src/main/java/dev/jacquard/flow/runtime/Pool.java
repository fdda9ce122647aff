package dev.jacquard.flow.runtime;

import dev.jacquard.core.data.Handle;
import dev.jacquard.flow.memory.Allocator;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one memory edge in one run. A buffer is free, granted to an item, or lent; the three add up to the size.
 *
 * <p>Threads: guarded by the {@link Ledger}, the constants aside.
 */
final class Pool {
    final String name;
    final int size;
    final boolean dynamic;
    final Allocator<Object> allocator;
    final Ledger ledger;
    final ArrayDeque<Request> waiting = new ArrayDeque<>();
    /** What a static pool has allocated and not lent. */
    final ArrayDeque<Object> values = new ArrayDeque<>();

    private final Map<Handle<?>, Lease> leases = new HashMap<>();
    int free;
    int peak;
    long taken;
    long waitNanos;

    @SuppressWarnings("unchecked") // the handles that it lends are typed by the edge again, in Outlet.take and Run.take
    Pool(String name, MemoryEdge<?> edge, Allocator<?> allocator, Ledger ledger) {
        this.name = name;
        this.size = edge.size();
        this.dynamic = edge.isDynamic();
        this.allocator = (Allocator<Object>) allocator;
        this.ledger = ledger;
        this.free = size;
    }

    int live() {
        return leases.size();
    }

    Lease lend(Object value, String taker, ReleaseRule rule) {
        Lease lease = new Lease(new Handle<>(name + "[" + taken++ + "]", this, value), taker, rule);
        leases.put(lease.handle, lease);
        peak = Math.max(peak, leases.size());
        return lease;
    }

    @Nullable
    Lease leaseOf(Handle<?> handle) {
        return leases.get(handle);
    }

    boolean end(Lease lease) {
        return leases.remove(lease.handle, lease);
    }

    List<Lease> outstanding() {
        return new ArrayList<>(leases.values());
    }

    /** Every buffer there is, lent or not; none is left. */
    List<Object> drainValues() {
        List<Object> all = new ArrayList<>(values);
        values.clear();
        for (Lease lease : leases.values()) {
            all.add(lease.handle.value());
        }
        leases.clear();
        return all;
    }
}
