package dev.jacquard.flow;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * A random graph whose results are known: layers of tasks that each map a number to some numbers, bookkeepers between
 * them, and pairs of tasks where one takes a buffer and the other releases it. Counts what the phases and allocators
 * do.
 */
final class RandomFlow {
    /** What flows: a number, and the buffers that travel with it. */
    record Item(long value, List<Handle<long[]>> buffers) {
        static Item of(long value) {
            return new Item(value, List.of());
        }
    }

    /** Something goes wrong at the n-th event, whatever that is. */
    static final class Injected extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final long seed;
    private final boolean dedicated;
    private final List<int[]> edges = new ArrayList<>();
    private final List<Integer> kinds = new ArrayList<>();
    private final List<Integer> copies = new ArrayList<>();
    private final int[] pools = new int[2];
    private final boolean[] dynamic = new boolean[2];
    private final FlowGraph<Item, Item> graph;

    final AtomicInteger initialized = new AtomicInteger();
    final AtomicInteger shutDown = new AtomicInteger();
    final AtomicLong allocated = new AtomicLong();
    final AtomicLong freed = new AtomicLong();
    final AtomicInteger largestLive = new AtomicInteger();
    /** When it reaches 0, an Injected is thrown; never when it starts below. */
    final AtomicLong fuse = new AtomicLong(-1);

    /** True if the items of some tasks, which the seed draws, take longer than cheap ones. Set before the start. */
    boolean expensive;

    /** More nanoseconds than a cheap item takes. */
    private static final long EXPENSIVE_NANOS = 25_000;

    /** Values that are sent are smaller. */
    static final int LARGEST = 60;

    private static final int MAP = 0;
    private static final int KEEP = 1;
    private static final int HOLD = 2;
    /** Takes two buffers of one edge, in two tasks. */
    private static final int TWICE = 3;

    RandomFlow(long seed, boolean dedicated) {
        this.seed = seed;
        this.dedicated = dedicated;
        Random random = new Random(seed);
        int size = 1 + random.nextInt(6);
        for (int i = 0; i < size; i++) {
            kinds.add(random.nextInt(4));
            copies.add(1 + random.nextInt(3));
        }
        // -1 is the input, size the output; every part gets a producer before it and a consumer behind it.
        for (int i = 0; i < size; i++) {
            edges.add(new int[] {random.nextInt(i + 1) - 1, i});
            edges.add(new int[] {i, i + 1 + random.nextInt(size - i)});
        }
        for (int i = 0; i < random.nextInt(3); i++) {
            int from = random.nextInt(size + 1) - 1;
            edges.add(new int[] {from, from + 1 + random.nextInt(size - from)});
        }
        List<int[]> distinct =
                edges.stream().collect(Collectors.toMap(e -> e[0] + ">" + e[1], e -> e, (a, b) -> a)).values().stream()
                        .filter(e -> !(e[0] == -1 && e[1] == size))
                        .toList();
        edges.clear();
        edges.addAll(distinct);
        for (int i = 0; i < pools.length; i++) {
            pools[i] = 1 + random.nextInt(3);
            dynamic[i] = random.nextBoolean();
        }
        // The need of one item after the other, whose parts may run in any order: one for each that takes twice, and
        // one more.
        int most = 0;
        for (long value = 0; value < LARGEST; value++) {
            most = Math.max(most, takeTwice(-1, value));
        }
        pools[0] = Math.max(pools[0], most == 0 ? 1 : most + 1);
        this.graph = build(size);
    }

    int largestPool() {
        return Math.max(pools[0], pools[1]);
    }

    FlowGraph<Item, Item> graph() {
        return graph;
    }

    private FlowGraph<Item, Item> build(int size) {
        return FlowGraph.build("random " + seed, g -> {
            List<MemoryEdge<long[]>> memories = new ArrayList<>();
            for (int i = 0; i < pools.length; i++) {
                MemoryEdge<long[]> edge = g.memory("memory " + i, pools[i], new Counting());
                memories.add(dynamic[i] ? edge.dynamic() : edge);
                edge.takenOutside().releasedOutside();
            }
            List<Sink<Item>> sinks = new ArrayList<>();
            List<Source<Item>> sources = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                add(g, i, memories, sinks, sources);
            }
            for (int[] edge : edges) {
                Source<Item> from = edge[0] < 0 ? g.input() : sources.get(edge[0]);
                if (edge[1] == size) {
                    from.to(g.output());
                } else {
                    from.to(sinks.get(edge[1]));
                }
            }
        });
    }

    private void add(
            FlowBuilder<Item, Item> g,
            int i,
            List<MemoryEdge<long[]>> memories,
            List<Sink<Item>> sinks,
            List<Source<Item>> sources) {
        switch (kinds.get(i)) {
            case MAP -> {
                FlowTask<Item, Item> task = mode(g.task("map " + i, copies.get(i), () -> new Mapping(i)));
                sinks.add(task);
                sources.add(task);
            }
            case KEEP -> {
                Bookkeeper<Item> keeper = g.bookkeeper("keep " + i);
                sinks.add(keeper);
                sources.add(keeper.rulePerRun(() -> new Keeping(i)));
            }
            default -> {
                // Take one of each edge, or two of the first, in two tasks, then release both: an item holds one while
                // it waits for the other.
                FlowTask<Item, Item> first =
                        mode(g.task("take " + i, copies.get(i), () -> new Taking(memories.get(0), i)));
                int other = kinds.get(i) == TWICE ? 0 : 1;
                FlowTask<Item, Item> second =
                        mode(g.task("take more " + i, 1, () -> new Taking(memories.get(other), i)));
                FlowTask<Item, Item> last = mode(g.task("release " + i, 2, Releasing::new));
                first.takes(memories.get(0))
                        .to(second.takes(memories.get(other)))
                        .to(last);
                sinks.add(first);
                sources.add(last);
            }
        }
    }

    private FlowTask<Item, Item> mode(FlowTask<Item, Item> task) {
        boolean oneByOne = new Random(seed ^ task.name().hashCode()).nextInt(4) == 0;
        FlowTask<Item, Item> its = oneByOne ? task.oneByOne() : task;
        return dedicated ? its.dedicated() : its;
    }

    // ---- the oracle

    static List<Long> images(int part, long value) {
        long mixed = (value + part) * 0x9e3779b97f4a7c15L;
        int count = (int) (mixed >>> 40) % 3;
        List<Long> images = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            images.add(mixed + i);
        }
        return count == 0 && part % 2 == 0 ? List.of(mixed) : images;
    }

    /** What comes out, sorted. */
    List<Long> expected(List<Long> sent) {
        List<Long> results = new ArrayList<>();
        sent.forEach(value -> spread(-1, value, results));
        results.sort(null);
        return results;
    }

    /** How many of the items that {@code value} leads to take twice. */
    private int takeTwice(int from, long value) {
        int count = 0;
        for (int[] edge : edges) {
            if (edge[0] != from || edge[1] == kinds.size()) {
                continue;
            }
            if (kinds.get(edge[1]) >= HOLD) {
                count += (kinds.get(edge[1]) == TWICE ? 1 : 0) + takeTwice(edge[1], value + 1);
            } else {
                for (long image : images(edge[1], value)) {
                    count += takeTwice(edge[1], image);
                }
            }
        }
        return count;
    }

    private void spread(int from, long value, List<Long> results) {
        for (int[] edge : edges) {
            if (edge[0] != from) {
                continue;
            }
            if (edge[1] == kinds.size()) {
                results.add(value);
            } else if (kinds.get(edge[1]) >= HOLD) {
                spread(edge[1], value + 1, results);
            } else {
                images(edge[1], value).forEach(image -> spread(edge[1], image, results));
            }
        }
    }

    // ---- what a finished run must satisfy, however it ended

    /** Every item that was sent along an edge was executed, failed or cancelled at its end. */
    static void checkNothingIsLost(FlowRun<?, ?> run) {
        FlowProfile profile = run.profile();
        FlowReport report = run.report();
        Map<String, Long> arrived = profile.links().stream()
                .collect(Collectors.groupingBy(FlowProfile.Link::to, Collectors.summingLong(FlowProfile.Link::items)));
        for (FlowReport.TaskCount task : report.tasks()) {
            long ended = task.executed() + task.failed() + task.cancelled();
            if (ended != arrived.getOrDefault(task.task(), 0L)) {
                throw new AssertionError("\"" + task.task() + "\" got " + arrived.get(task.task()) + " items, and "
                        + ended + " ended\n" + report);
            }
        }
        long out = arrived.getOrDefault(FlowProfile.OUTPUT, 0L);
        if (report.delivered() + report.undelivered() != out) {
            throw new AssertionError(out + " items reached the output\n" + report);
        }
        for (FlowProfile.Memory memory : profile.memories()) {
            if (memory.peak() > memory.size()) {
                throw new AssertionError("more lent than there are: " + memory);
            }
        }
    }

    /** With an input that is bounded in half of the cases, by 1 to 3 items. */
    FlowRun<Item, Item> start(Workers workers, long seed) {
        return graph.start(workers, FlowRun.Options.defaults().withInputBound(Math.max(0, (int) (seed % 7) - 3)));
    }

    private void burn() {
        if (fuse.get() >= 0 && fuse.getAndDecrement() == 0) {
            throw new Injected();
        }
    }

    private final class Counting implements Allocator<long[]> {
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
    private abstract class Counted implements Body<Item, Item> {
        private final AtomicInteger busy = new AtomicInteger();
        private boolean slow;

        @Override
        public final void initialize(CopyInfo copy) {
            slow = expensive && new Random(~seed ^ copy.task().hashCode()).nextInt(3) == 0;
            burn();
            initialized.incrementAndGet();
        }

        @Override
        public final void execute(Item item, Emitter<Item> out) {
            if (busy.incrementAndGet() != 1) {
                throw new AssertionError("two activations of one copy");
            }
            try {
                burn();
                for (long begun = System.nanoTime(); slow && System.nanoTime() - begun < EXPENSIVE_NANOS; ) {
                    Thread.onSpinWait();
                }
                work(item, out);
            } finally {
                busy.decrementAndGet();
            }
        }

        @Override
        public final void shutdown(Emitter<Item> out) {
            shutDown.incrementAndGet();
            burn();
        }

        abstract void work(Item item, Emitter<Item> out);
    }

    private final class Mapping extends Counted {
        private final int part;

        Mapping(int part) {
            this.part = part;
        }

        @Override
        void work(Item item, Emitter<Item> out) {
            images(part, item.value()).forEach(image -> out.emit(Item.of(image)));
        }
    }

    private final class Keeping implements Rule<Item, Item> {
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

    private final class Taking extends Counted {
        private final MemoryEdge<long[]> edge;
        private final int part;

        Taking(MemoryEdge<long[]> edge, int part) {
            this.edge = edge;
            this.part = part;
        }

        @Override
        void work(Item item, Emitter<Item> out) {
            if ((item.value() + part) % 5 == 0) {
                out.emit(item); // takes none: it must go back
                return;
            }
            Handle<long[]> buffer = out.take(edge, ReleaseRule.after(2));
            buffer.value()[0] = item.value();
            List<Handle<long[]>> buffers = new ArrayList<>(item.buffers());
            buffers.add(buffer);
            out.emit(new Item(item.value(), buffers));
        }
    }

    private final class Releasing extends Counted {
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
}
