package dev.jacquard.flow;

import dev.jacquard.flow.RandomBodies.Item;
import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.Permit;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.memory.SizedEdge.SizedAllocator;
import dev.jacquard.memory.data.Handle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Pairs of tasks of a random graph, of which the first takes by size, by key, or a permit, and the second releases. A
 * pair makes the next number of each.
 */
final class RandomMemories {
    /** The number of keys. */
    private static final int KEYS = 5;
    /** The largest buffer. */
    private static final int LARGEST = 7;

    private final RandomBodies bodies;
    private final FlowBuilder<Item, Item> g;
    private final int part;
    private final int size;
    private final int copies;

    /** A number, and the buffer that was taken for it. */
    record Held(long value, Handle<?> buffer) {}

    RandomMemories(RandomBodies bodies, FlowBuilder<Item, Item> g, int part, int size, int copies) {
        this.bodies = bodies;
        this.g = g;
        this.part = part;
        this.size = size;
        this.copies = copies;
    }

    /** Counts buffers, and checks that there are not more bytes than there may be. */
    private final class Sizes implements SizedAllocator<long[]> {
        private final AtomicLong live = new AtomicLong();

        @Override
        public long[] allocate(long bytes) {
            bodies.burn();
            if (live.addAndGet(bytes) > limit()) {
                throw new AssertionError("more bytes than there may be");
            }
            bodies.allocated.incrementAndGet();
            return new long[(int) bytes];
        }

        @Override
        public void free(long[] buffer) {
            live.addAndGet(-buffer.length);
            bodies.freed.incrementAndGet();
        }
    }

    /** Returns the key that is taken for a number. */
    static long keyOf(long value) {
        return Math.floorMod(value, (long) KEYS);
    }

    private long limit() {
        return LARGEST + (long) size;
    }

    /** Two tasks, which are to be joined. */
    record Pair(FlowTask<Item, Held> first, FlowTask<Held, Item> last) {}

    Pair sized() {
        SizedEdge<long[]> edge = g.memory("sized " + part, 1 + size, limit(), new Sizes());
        FlowTask<Item, Held> task = g.task("take size " + part, copies, () -> (item, out) -> {
            bodies.burn();
            Handle<long[]> buffer = out.take(edge, 1 + Math.floorMod(item.value(), LARGEST));
            buffer.value()[0] = item.value();
            out.emit(new Held(item.value(), buffer));
            bodies.requireUsable(part, item.value());
        });
        return pair(task.takes(edge, 1, LARGEST), edge);
    }

    Pair keyed() {
        KeyedEdge<Long, long[]> edge = g.keyed("keyed " + part, size, bodies.new Counting(), (key, buffer, item) -> {
            bodies.burn();
            if (bodies.failsToLoad(part, key)) {
                throw new RandomBodies.Unusable();
            }
            buffer[0] = key;
        });
        FlowTask<Item, Held> task = g.task("take key " + part, copies, () -> (item, out) -> {
            bodies.burn();
            out.emit(new Held(item.value(), out.take(edge, keyOf(item.value()))));
            bodies.requireUsable(part, item.value());
        });
        return pair(task.takes(edge), edge);
    }

    Pair permits() {
        MemoryEdge<Permit> edge = g.permits("permits " + part, size);
        FlowTask<Item, Held> task = g.task("take permit " + part, copies, () -> (item, out) -> {
            bodies.burn();
            out.emit(new Held(item.value(), out.take(edge)));
            bodies.requireUsable(part, item.value());
        });
        return pair(task.takes(edge), edge);
    }

    private Pair pair(FlowTask<Item, Held> first, MemoryEdge<?> edge) {
        FlowTask<Held, Item> last = g.task("give back " + part, copies, () -> (held, out) -> {
            bodies.burn();
            if (held.buffer().value() instanceof long[] cells && !isOf(cells[0], held.value(), edge)) {
                throw new AssertionError("the buffer of \"" + edge + "\" has the contents of another loan");
            }
            out.release(held.buffer());
            out.emit(Item.of(held.value() + 1));
        });
        return new Pair(first, last.releases(edge));
    }

    private static boolean isOf(long contents, long value, MemoryEdge<?> edge) {
        return contents == (edge instanceof KeyedEdge ? keyOf(value) : value);
    }
}
