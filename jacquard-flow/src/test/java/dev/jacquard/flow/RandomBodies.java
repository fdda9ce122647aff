package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Start;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bodies, rules and allocators of a random graph. They count what phases and allocators do, check what they are
 * promised, and throw at one event, whatever that is.
 */
final class RandomBodies {
    /**
     * A number that flows, and the buffers that travel with it.
     *
     * @param rounds of a cycle that are left; -1 outside of cycles
     */
    record Item(long value, long rounds, List<Handle<long[]>> buffers) {
        static Item of(long value) {
            return new Item(value, -1, List.of());
        }
    }

    /** Something goes wrong at the n-th event, whatever that is. */
    static final class Injected extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** An item that a task drops. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;
    }

    static final int ELEMENTS = 32;
    /** The most numbers that a part makes of one: see {@link #images}. */
    static final int MOST_IMAGES = 2;

    /** More nanoseconds than a cheap item takes. */
    private static final long EXPENSIVE_NANOS = 25_000;

    private final long seed;
    final AtomicInteger initialized = new AtomicInteger();
    final AtomicInteger shutDown = new AtomicInteger();
    final AtomicLong allocated = new AtomicLong();
    final AtomicLong freed = new AtomicLong();
    final AtomicInteger largestLive = new AtomicInteger();
    /** When it reaches 0, an Injected is thrown; never when it starts below. */
    final AtomicLong fuse = new AtomicLong(-1);
    /** How many emulated devices the session of the graph has. */
    final int devices;
    /** True if launches on them fail now and then: then no copy is bound to one, so that the kernel goes elsewhere. */
    final boolean faulty;

    /** True if the items of some tasks, which the seed draws, take longer than cheap ones. Set before the start. */
    boolean expensive;

    /** Where the tasks of the engine run. Set before the start. */
    @Nullable
    Session session;

    private final Kernel change;

    RandomBodies(long seed) {
        this.seed = seed;
        this.devices = (int) Math.floorMod(seed, 3L);
        this.faulty = seed % 4 == 3;
        this.change = Kernel.named("change")
                .parameters("x")
                .onHost(arguments -> {
                    burn();
                    change(arguments.memory("x").segment());
                })
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("change", launch -> {
                    burn();
                    change(launch.memory(0));
                }));
    }

    private static void change(MemorySegment cells) {
        for (long i = 0; i < ELEMENTS; i++) {
            cells.setAtIndex(ValueLayout.JAVA_LONG, i, 3 * cells.getAtIndex(ValueLayout.JAVA_LONG, i) + 1);
        }
    }

    /** The numbers that a part makes of one. */
    static List<Long> images(int part, long value) {
        long mixed = (value + part) * 0x9e3779b97f4a7c15L;
        int count = (int) (mixed >>> 40) % 3;
        List<Long> images = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            images.add(mixed + i);
        }
        return count == 0 && part % 2 == 0 ? List.of(mixed) : images;
    }

    /** Returns true if the tasks of a part drop items that fail, which the seed draws. */
    boolean drops(int part) {
        return new Random(seed ^ (part + 1) * 0x9e3779b97f4a7c15L).nextInt(3) == 0;
    }

    /** Returns true if a part drops a number. */
    boolean isDropped(int part, long value) {
        return drops(part) && Math.floorMod(value + part, 4L) == 0;
    }

    /** Throws if a part drops a number. */
    void requireUsable(int part, long value) throws Unusable {
        if (isDropped(part, value)) {
            throw new Unusable();
        }
    }

    /** Returns true if the loader of a part fails for a key, so that the part drops the item. */
    boolean failsToLoad(int part, long key) {
        return drops(part) && key == 1;
    }

    /** How often a number goes round again. */
    static long rounds(long value) {
        return Math.floorMod(value, 4L);
    }

    /** Compares items of a task with priorities; of some seeds this may be what goes wrong. */
    int compare(Item one, Item other) {
        if (seed % 5 == 2) {
            burn();
        }
        return Long.compare(Long.rotateLeft(one.value(), 17) ^ seed, Long.rotateLeft(other.value(), 17) ^ seed);
    }

    void burn() {
        if (fuse.get() >= 0 && fuse.getAndDecrement() == 0) {
            throw new Injected();
        }
    }

    final class Counting implements Allocator<long[]> {
        private final AtomicInteger live = new AtomicInteger();

        @Override
        public long[] allocate() {
            burn();
            allocated.incrementAndGet();
            largestLive.accumulateAndGet(live.incrementAndGet(), Math::max);
            return new long[1];
        }

        @Override
        public void free(long[] buffer) {
            live.decrementAndGet();
            freed.incrementAndGet();
        }
    }

    /** Phases that count, and check that one body is never at work twice at once. */
    abstract class Counted<A> implements Body<A, Item> {
        private final AtomicInteger busy = new AtomicInteger();
        private boolean slow;
        /** The number of this copy of its task. */
        int index;
        /** The number of the copy of its pipeline. */
        int pipeline;

        @Override
        public final void initialize(CopyInfo copy) {
            slow = expensive && new Random(~seed ^ copy.task().hashCode()).nextInt(3) == 0;
            index = copy.index();
            pipeline = copy.pipeline();
            burn();
            initialized.incrementAndGet();
        }

        @Override
        public final void execute(A item, Emitter<Item> out) throws Exception {
            alone(() -> {
                burn();
                for (long begun = System.nanoTime(); slow && System.nanoTime() - begun < EXPENSIVE_NANOS; ) {
                    Thread.onSpinWait();
                }
                work(item, out);
            });
        }

        /** Does {@code phase}, which is never done beside another one of this body. */
        final <E extends Exception> void alone(Phase<E> phase) throws E {
            if (busy.incrementAndGet() != 1) {
                throw new AssertionError("two activations of one copy");
            }
            try {
                phase.run();
            } finally {
                busy.decrementAndGet();
            }
        }

        @Override
        public final void idle(Emitter<Item> out) {
            alone(RandomBodies.this::burn);
        }

        @Override
        public final void shutdown(Emitter<Item> out) {
            shutDown.incrementAndGet();
            alone(RandomBodies.this::burn);
        }

        abstract void work(A item, Emitter<Item> out) throws Unusable;
    }

    /** A phase of a body. */
    @FunctionalInterface
    private interface Phase<E extends Exception> {
        void run() throws E;
    }

    final class Starting extends Counted<Start> {
        private final long first;

        Starting(long first) {
            this.first = first;
        }

        @Override
        void work(Start signal, Emitter<Item> out) {
            out.emit(Item.of(first + index));
        }
    }

    final class Mapping extends Counted<Item> {
        private final int part;

        Mapping(int part) {
            this.part = part;
        }

        @Override
        void work(Item item, Emitter<Item> out) throws Unusable {
            images(part, item.value()).forEach(image -> out.emit(Item.of(image)));
            requireUsable(part, item.value());
        }
    }

    final class Keeping implements Rule<Item, Item> {
        private final int part;

        Keeping(int part) {
            this.part = part;
        }

        @Override
        public void apply(Item item, int pipeline, Emitter<Item> out) {
            burn();
            images(part, item.value()).forEach(image -> out.emit(Item.of(image)));
        }
    }

    /** Adds 1, and counts the rounds. */
    final class Turning extends Counted<Item> {
        @Override
        void work(Item item, Emitter<Item> out) {
            long left = item.rounds() < 0 ? rounds(item.value()) : item.rounds() - 1;
            out.emit(new Item(item.value() + 1, left, List.of()));
        }
    }

    /** Sends round again what has rounds left, or on what has none. */
    final class Turn implements Rule<Item, Item> {
        private final boolean again;

        Turn(boolean again) {
            this.again = again;
        }

        @Override
        public void apply(Item item, int pipeline, Emitter<Item> out) {
            burn();
            if (again == item.rounds() > 0) {
                out.emit(again ? item : Item.of(item.value()));
            }
        }
    }

    final class Taking extends Counted<Item> {
        private final MemoryEdge<long[]> edge;
        private final int part;
        /** True if it is the first of the part, which may drop items. */
        private final boolean first;

        Taking(MemoryEdge<long[]> edge, int part, boolean first) {
            this.edge = edge;
            this.part = part;
            this.first = first;
        }

        @Override
        void work(Item item, Emitter<Item> out) throws Unusable {
            if ((item.value() + part) % 5 == 0) {
                out.emit(item); // takes none: it must go back
                if (first) {
                    requireUsable(part, item.value());
                }
                return;
            }
            Handle<long[]> buffer = out.take(edge, ReleaseRule.after(2));
            buffer.value()[0] = item.value();
            List<Handle<long[]>> buffers = new ArrayList<>(item.buffers());
            buffers.add(buffer);
            out.emit(new Item(item.value(), -1, buffers));
            if (first) {
                requireUsable(part, item.value());
            }
        }
    }

    final class Releasing extends Counted<Item> {
        @Override
        void work(Item item, Emitter<Item> out) {
            for (Handle<long[]> buffer : item.buffers()) {
                if (buffer.value()[0] != item.value()) {
                    throw new AssertionError("a buffer was lent twice at once");
                }
                out.release(buffer);
                out.release(buffer);
            }
            out.emit(Item.of(item.value() + 1));
        }
    }

    /** Two tasks of the engine, of which the second follows from the first's accesses, and one behind both. */
    final class Submitting extends Counted<Item> {
        private final int part;

        Submitting(int part) {
            this.part = part;
        }

        @Override
        void work(Item item, Emitter<Item> out) {
            Handle<long[]> cell = Objects.requireNonNull(session).wrap("cell", new long[1]);
            out.graph().task("set").writes(cell).run(ctx -> {
                burn();
                ctx.get(cell)[0] = item.value();
            });
            out.graph().task("triple").updates(cell).run(ctx -> ctx.get(cell)[0] *= 3);
            out.whenDone(then -> alone(() -> {
                burn();
                requireUsable(part, item.value());
                List<Long> images = images(part, cell.value()[0]);
                if (images.isEmpty()) {
                    return;
                }
                then.emit(Item.of(images.getFirst()));
                then.graph().task("more").reads(cell).run(ctx -> burn());
                then.whenDone(last -> alone(() -> images.stream().skip(1).forEach(image -> last.emit(Item.of(image)))));
            }));
        }
    }

    /** Writes data that an edge lends, changes it by a kernel, and reads it. */
    final class Lending extends Counted<Item> {
        private final MemoryEdge<Data> edge;
        /** True if the buffer is released while its tasks may still run. */
        private final boolean early;

        Lending(MemoryEdge<Data> edge, boolean early) {
            this.edge = edge;
            this.early = early;
        }

        @Override
        void work(Item item, Emitter<Item> out) {
            Handle<Data> lent = out.take(edge);
            Data data = lent.value();
            long[] read = new long[1];
            out.graph().task("fill").writes(data).run(ctx -> {
                burn();
                MemorySegment cells = ctx.memory(data).segment();
                for (long i = 0; i < ELEMENTS; i++) {
                    cells.setAtIndex(ValueLayout.JAVA_LONG, i, item.value());
                }
            });
            out.graph().task("change").updates(data).run(change);
            out.graph().task("look").reads(data).run(ctx -> {
                MemorySegment cells = ctx.memory(data).segment();
                read[0] = cells.getAtIndex(ValueLayout.JAVA_LONG, 0);
                for (long i = 1; i < ELEMENTS; i++) {
                    if (cells.getAtIndex(ValueLayout.JAVA_LONG, i) != read[0]) {
                        throw new AssertionError("a buffer was lent twice at once");
                    }
                }
            });
            if (early) {
                out.release(lent);
            }
            out.whenDone(then -> alone(() -> {
                burn();
                if (!early) {
                    then.release(lent);
                }
                then.emit(Item.of(read[0]));
            }));
        }
    }
}
