package dev.jacquard.flow;

import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.proof.Proof.Event;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bodies and rules of a {@link RatedFlow}: they take, pass on and release buffers as they declare, and count the
 * live ones.
 */
final class RatedWork {
    /** The most memory edges of a graph, with those of its pipelines. */
    static final int MOST_EDGES = 6;

    private static final int KEYS = 3;

    /** A buffer on its way, with the number of items that carry it. No record, so that the runtime does not find it. */
    private static final class Ref {
        final int pool;
        final int copy;
        final long bytes;
        final Handle<int[]> handle;
        final AtomicInteger holders = new AtomicInteger(1);

        Ref(int pool, int copy, long bytes, Handle<int[]> handle) {
            this.pool = pool;
            this.copy = copy;
            this.bytes = bytes;
            this.handle = handle;
        }
    }

    record Item(List<Ref> refs) {}

    /** A memory edge, and its live buffers and bytes, per copy of its graph. */
    static final class Pool {
        final MemoryEdge<int[]> edge;
        private final AtomicLong[] live;
        private final AtomicLong[] bytes;
        final AtomicLong largest = new AtomicLong();
        final AtomicLong mostBytes = new AtomicLong();

        Pool(MemoryEdge<int[]> edge, int copies) {
            this.edge = edge;
            this.live = counters(copies);
            this.bytes = counters(copies);
        }

        private static AtomicLong[] counters(int count) {
            AtomicLong[] all = new AtomicLong[count];
            for (int i = 0; i < count; i++) {
                all[i] = new AtomicLong();
            }
            return all;
        }

        /** Counts buffers as free that are left in rules, or in the queues of a run that was cancelled. */
        void forget() {
            for (int i = 0; i < live.length; i++) {
                live[i].set(0);
                bytes[i].set(0);
            }
        }

        void add(int copy, int count, long size) {
            largest.accumulateAndGet(live[copy].addAndGet(count), Math::max);
            mostBytes.accumulateAndGet(bytes[copy].addAndGet(size), Math::max);
        }
    }

    /** The work of a part: takes, then releases the first buffers of each pool, then emits the others. */
    static final class Work {
        final int[] takes = new int[MOST_EDGES];
        /** The bytes of these together, of pools that count them. */
        final long[] bytes = new long[MOST_EDGES];

        final int[] releases = new int[MOST_EDGES];
        int collects = 1;
        int least = 1;
        int most = 1;
        boolean shares;
        /** The number of consumers that hold the buffers of each item that goes out. */
        int consumers = 1;
        /** The number of the output. */
        int index;
        /** True if some items cannot be used, and are dropped. */
        boolean drops;
    }

    /** A failure that a test asks for. */
    static final class Injected extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A failure of an item that is dropped. */
    static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    final List<Pool> pools = new ArrayList<>();
    /** The number of executions until one fails; negative for none. */
    final AtomicLong fuse = new AtomicLong(-1);
    /** The event that is played; null if bodies choose. */
    @Nullable
    Event played;

    /** Executes the work for each item. */
    final class Working implements Body<Item, Item> {
        private final Work work;
        private int copy;

        Working(Work work) {
            this.work = work;
        }

        @Override
        public void initialize(CopyInfo its) {
            copy = its.pipeline();
        }

        @Override
        public void execute(Item item, Emitter<Item> out) {
            work(work, List.of(item), copy, out);
        }
    }

    /** Collects items, and works for all of them. */
    final class Collecting implements Rule<Item, Item> {
        private final Work work;
        private final List<Item> items = new ArrayList<>();

        Collecting(Work work) {
            this.work = work;
        }

        @Override
        public void apply(Item item, int pipeline, Emitter<Item> out) {
            items.add(item);
            if (items.size() == work.collects) {
                work(work, List.copyOf(items), pipeline, out);
                items.clear();
            }
        }
    }

    void work(Work work, List<Item> items, int copy, Emitter<Item> out) {
        if (fuse.get() >= 0 && fuse.getAndDecrement() == 0) {
            throw new Injected();
        }
        int count = count(work);
        if (count < work.least) {
            throw new Unusable();
        }
        List<Ref> inHand = new ArrayList<>();
        items.forEach(item -> inHand.addAll(item.refs));
        for (int pool = 0; pool < pools.size(); pool++) {
            for (int i = 0; i < work.takes[pool]; i++) {
                inHand.add(take(work, pool, i, copy, out));
            }
        }
        List<List<Ref>> loads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            loads.add(new ArrayList<>());
        }
        for (int pool = 0; pool < pools.size(); pool++) {
            int its = pool;
            List<Ref> ofPool = inHand.stream().filter(ref -> ref.pool == its).toList();
            List<Ref> kept = ofPool.subList(work.releases[pool], ofPool.size());
            int share = work.shares ? kept.size() / work.most : kept.size();
            for (int i = 0; i < count; i++) {
                int from = work.shares ? i * share : 0;
                loads.get(i).addAll(kept.subList(from, from + share));
            }
        }
        for (List<Ref> load : loads) {
            load.forEach(ref -> ref.holders.addAndGet(work.consumers));
        }
        release(inHand, out);
        loads.forEach(load -> out.emit(new Item(List.copyOf(load))));
    }

    @SuppressWarnings("unchecked") // the edges by key have numbers as keys
    private Ref take(Work work, int pool, int number, int copy, Emitter<Item> out) {
        MemoryEdge<int[]> edge = pools.get(pool).edge;
        long most = work.bytes[pool] / work.takes[pool] + (number < work.bytes[pool] % work.takes[pool] ? 1 : 0);
        long bytes = edge instanceof SizedEdge ? played == null ? 1 + random(most) : most : 0;
        Handle<int[]> handle = switch (edge) {
            case SizedEdge<int[]> sized -> out.take(sized, bytes);
            case KeyedEdge<?, int[]> keyed -> out.take((KeyedEdge<Integer, int[]>) keyed, (int) random(KEYS));
            default -> out.take(edge);
        };
        pools.get(pool).add(copy, 1, bytes);
        return new Ref(pool, copy, bytes, handle);
    }

    private void release(List<Ref> refs, Emitter<?> out) {
        for (Ref ref : refs) {
            if (ref.holders.decrementAndGet() == 0) {
                pools.get(ref.pool).add(ref.copy, -1, -ref.bytes);
                out.release(ref.handle);
            }
        }
    }

    /** Releases the buffers of an item that is dropped; another failure fails the run. */
    void drop(Item item, Exception failure, Emitter<Item> out) throws Exception {
        if (!(failure instanceof Unusable)) {
            throw failure;
        }
        release(item.refs, out);
    }

    private int count(Work work) {
        Event event = played;
        if (event != null) {
            return event.emits().get(work.index);
        }
        return work.drops && random(8) == 0 ? -1 : work.least + (int) random(work.most - work.least + 1L);
    }

    static long random(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }
}
