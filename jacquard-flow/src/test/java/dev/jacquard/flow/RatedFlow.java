package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.proof.Proof.Event;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A random graph whose tasks and rules declare their rates, and keep to them: chains and branches of tasks that take
 * buffers, pass them on with some items, share them out, collect them, and release them.
 */
final class RatedFlow {
    /** A buffer on its way, with the number of items that carry it. */
    private record Ref(int pool, Handle<int[]> handle, AtomicInteger holders) {}

    record Item(List<Ref> refs) {}

    /** The work of a part: takes, then releases the first buffers of each pool, then emits the others. */
    private static final class Work {
        final int[] takes;
        final int[] releases;
        int collects = 1;
        int least = 1;
        int most = 1;
        boolean shares;
        /** The number of consumers that hold the buffers of each item that goes out. */
        int consumers = 1;
        /** The number of the output. */
        int index;

        Work(int pools) {
            takes = new int[pools];
            releases = new int[pools];
        }
    }

    /** A failure that a test asks for. */
    static final class Injected extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final int MOST_CARRIED = 6;

    private final long seed;
    private final Random random;
    /** Draws the bounds of edges: apart from the rest, so that graphs with and without are alike. */
    private final Random bounds;

    private final int pools;
    private final int[] sizes;
    private final List<MemoryEdge<int[]>> edges = new ArrayList<>();
    private int parts;
    /** The number of live buffers per pool now, and at most. */
    final AtomicInteger[] live;

    final AtomicInteger[] largest;
    /** The number of executions until one fails; negative for none. */
    final AtomicLong fuse = new AtomicLong(-1);
    /** True if some rule collects items, so that buffers may be left at the end. */
    boolean collects;
    /** The event that is played; null if bodies choose. */
    @Nullable
    Event played;

    /** True once a body has worked for {@link #played}. */
    boolean worked;

    final FlowGraph<Integer, Item> graph;

    RatedFlow(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.bounds = new Random(~seed);
        this.pools = 1 + random.nextInt(2);
        this.sizes = new int[pools];
        this.live = new AtomicInteger[pools];
        this.largest = new AtomicInteger[pools];
        for (int i = 0; i < pools; i++) {
            sizes[i] = 2 + random.nextInt(4);
            live[i] = new AtomicInteger();
            largest[i] = new AtomicInteger();
        }
        this.graph = FlowGraph.build("rated " + seed, this::build);
    }

    int size(int pool) {
        return sizes[pool];
    }

    int pools() {
        return pools;
    }

    // ---- the graph

    private void build(FlowBuilder<Integer, Item> g) {
        for (int i = 0; i < pools; i++) {
            MemoryEdge<int[]> edge = g.memory("pool " + i, sizes[i], () -> new int[1]);
            edges.add(random.nextInt(8) == 0 ? edge.atLeast(sizes[i] - random.nextInt(2), "a guess") : edge);
        }
        Work begin = new Work(pools);
        begin.least = 1;
        begin.most = random.nextInt(4) == 0 ? 2 : 1;
        FlowTask<Integer, Item> enter = g.<Integer, Item>task("enter", 1, () -> (n, out) -> work(begin, List.of(), out))
                .oneByOne()
                .emits(begin.least, begin.most);
        g.input().to(enter);
        begin.consumers = branch(g, enter, new int[pools], 2 + random.nextInt(4));
        for (int i = 0; i < pools; i++) { // every edge has a task that takes and one that releases
            single(g, enter, i);
            begin.consumers++;
        }
    }

    /** Adds a task that takes and one that releases, so that no edge is without. */
    private void single(FlowBuilder<Integer, Item> g, FlowSource<Item> from, int pool) {
        Work take = new Work(pools);
        take.takes[pool] = 1;
        Work release = new Work(pools);
        release.releases[pool] = 1;
        join(join(from, task(g, new int[pools], take)), task(g, take.takes, release))
                .to(g.output());
    }

    /** Adds one or two chains after {@code from}; returns the number of holders of each item that it emits. */
    private int branch(FlowBuilder<Integer, Item> g, FlowSource<Item> from, int[] carried, int length) {
        int count = length > 1 && random.nextInt(4) == 0 ? 2 : 1;
        int holders = 0;
        for (int i = 0; i < count; i++) {
            holders += chain(g, from, carried.clone(), count == 1 ? length : length / 2);
        }
        return holders;
    }

    private int chain(FlowBuilder<Integer, Item> g, FlowSource<Item> from, int[] carried, int length) {
        if (length == 0) {
            end(g, from, carried);
            return 1;
        }
        int total = Arrays.stream(carried).sum();
        int kind = random.nextInt(12);
        if (kind == 10) {
            return diamond(g, from, carried, length);
        } else if (kind == 11 && total > 0 && total <= MOST_CARRIED / 2) {
            return rules(g, from, carried, length);
        }
        Work work = new Work(pools);
        int[] next = carried.clone();
        if (kind < 5 && total < MOST_CARRIED) {
            for (int pool = 0; pool < pools; pool++) {
                if (random.nextInt(4) == 0 || pool == kind % pools) {
                    work.takes[pool] = 1 + random.nextInt(Math.min(2, sizes[pool]));
                    next[pool] += work.takes[pool];
                }
            }
            spread(work, next);
        } else if (kind < 7 && total > 0 && total <= MOST_CARRIED / 2) {
            Bookkeeper<Item> keeper = keeper(g, from, carried);
            collect(work, next);
            work.consumers = branch(g, rule(keeper, work), next, length - 1);
            return 1;
        } else if (kind < 8) {
            spread(work, next);
        } else if (total > 0) {
            int pool = carried[0] > 0 ? 0 : pools - 1;
            work.releases[pool] = 1;
            next[pool]--;
        }
        work.consumers = branch(g, join(from, task(g, carried, work)), next, length - 1);
        return 1;
    }

    private void collect(Work work, int[] next) {
        work.collects = 2;
        collects = true;
        for (int i = 0; i < pools; i++) {
            next[i] *= 2;
        }
    }

    /** Two tasks between {@code from} and one that both send to. */
    private int diamond(FlowBuilder<Integer, Item> g, FlowSource<Item> from, int[] carried, int length) {
        Work both = new Work(pools);
        FlowTask<Item, Item> last = task(g, carried, both);
        for (int i = 0; i < 2; i++) {
            join(join(from, task(g, carried, new Work(pools))), last);
        }
        both.consumers = branch(g, last, carried, length - 1);
        return 2;
    }

    /** A bookkeeper with two rules, one of which collects items. */
    private int rules(FlowBuilder<Integer, Item> g, FlowSource<Item> from, int[] carried, int length) {
        Bookkeeper<Item> keeper = keeper(g, from, carried);
        for (int i = 0; i < 2; i++) {
            Work work = new Work(pools);
            work.index = i;
            int[] next = carried.clone();
            if (i == 0) {
                collect(work, next);
            }
            work.consumers = branch(g, rule(keeper, work), next, (length - 1) / 2);
        }
        return 2;
    }

    /** Draws the number of items that go out, and whether they share the buffers. */
    private void spread(Work work, int[] next) {
        int total = Arrays.stream(next).sum();
        switch (random.nextInt(6)) {
            case 0 -> {
                work.least = 2;
                work.most = 2;
                if (total == 2 && (next[0] == 2 || next[pools - 1] == 2) && random.nextBoolean()) {
                    work.shares = true;
                    for (int i = 0; i < pools; i++) {
                        next[i] /= 2;
                    }
                }
            }
            case 1 -> work.least = 0;
            case 2 -> {
                work.least = 1;
                work.most = 2;
            }
            default -> {}
        }
    }

    private void end(FlowBuilder<Integer, Item> g, FlowSource<Item> from, int[] carried) {
        Work work = new Work(pools);
        System.arraycopy(carried, 0, work.releases, 0, pools);
        join(from, task(g, carried, work)).to(g.output());
    }

    /** Joins two parts, by an edge with a bound now and then. */
    private <S extends Sink<Item>> S join(FlowSource<Item> from, S to) {
        int most = switch (from) {
            case FlowTask<?, ?> task -> task.settings.rate.most;
            case RuleOutput<?> rule -> rule.rate.most;
            default -> throw new AssertionError(from);
        };
        return bounds.nextInt(4) == 0 ? from.to(to, Math.max(1, most) + bounds.nextInt(2)) : from.to(to);
    }

    private FlowTask<Item, Item> task(FlowBuilder<Integer, Item> g, int[] carried, Work work) {
        String name = "task " + parts++;
        FlowTask<Item, Item> task = g.<Item, Item>task(
                        name, 1 + random.nextInt(2), () -> (item, out) -> work(work, List.of(item), out))
                .oneByOne()
                .emits(work.least, work.most);
        for (int i = 0; i < pools; i++) {
            if (seed % 4 > 0) {
                task.carries(edges.get(i), carried[i]);
            }
            if (work.takes[i] > 0) {
                task.takes(edges.get(i), work.takes[i]);
            }
            if (work.releases[i] > 0) {
                task.releases(edges.get(i), work.releases[i]);
            }
        }
        return task;
    }

    private Bookkeeper<Item> keeper(FlowBuilder<Integer, Item> g, FlowSource<Item> from, int[] carried) {
        Bookkeeper<Item> keeper = g.bookkeeper("keep " + parts++);
        join(from, keeper);
        for (int i = 0; i < pools && seed % 4 > 0; i++) {
            keeper.carries(edges.get(i), carried[i]);
        }
        return keeper;
    }

    private FlowSource<Item> rule(Bookkeeper<Item> keeper, Work work) {
        return keeper.rulePerRun(() -> new Collecting(work))
                .collects(work.collects)
                .emits(work.least, work.most);
    }

    /** Collects items, and emits for all of them. */
    private final class Collecting implements Rule<Item, Item> {
        private final Work work;
        private final List<Item> items = new ArrayList<>();

        Collecting(Work work) {
            this.work = work;
        }

        @Override
        public void apply(Item item, int pipeline, Emitter<Item> out) {
            items.add(item);
            if (items.size() == work.collects) {
                work(work, List.copyOf(items), out);
                items.clear();
            } else {
                worked = true;
            }
        }
    }

    // ---- the work

    private void work(Work work, List<Item> items, Emitter<Item> out) {
        worked = true;
        if (fuse.get() >= 0 && fuse.getAndDecrement() == 0) {
            throw new Injected();
        }
        List<Ref> inHand = new ArrayList<>();
        items.forEach(item -> inHand.addAll(item.refs));
        for (int pool = 0; pool < pools; pool++) {
            for (int i = 0; i < work.takes[pool]; i++) {
                Handle<int[]> handle = out.take(edges.get(pool));
                largest[pool].accumulateAndGet(live[pool].incrementAndGet(), Math::max);
                inHand.add(new Ref(pool, handle, new AtomicInteger(1)));
            }
        }
        int count = count(work);
        List<List<Ref>> loads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            loads.add(new ArrayList<>());
        }
        for (int pool = 0; pool < pools; pool++) {
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
        for (Ref ref : inHand) {
            if (ref.holders.decrementAndGet() == 0) {
                live[ref.pool].decrementAndGet();
                out.release(ref.handle);
            }
        }
        loads.forEach(load -> out.emit(new Item(List.copyOf(load))));
    }

    private int count(Work work) {
        Event event = played;
        if (event != null) {
            return event.emits().get(work.index);
        }
        long draw = ThreadLocalRandom.current().nextLong();
        return work.least + (int) Math.floorMod(draw, work.most - work.least + 1L);
    }
}
