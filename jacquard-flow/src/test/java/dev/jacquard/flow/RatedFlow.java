package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.RatedWork.Item;
import dev.jacquard.flow.RatedWork.Pool;
import dev.jacquard.flow.RatedWork.Work;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.proof.Proof.Event;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Trait;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.task.Termination;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A random graph whose tasks and rules declare their rates, and keep to them: chains and branches of tasks that take
 * buffers, pass them on with some items, share them out, collect them, and release them; with memory edges by size and
 * by key, start tasks, cycles, graphs inside, and pipelines.
 */
final class RatedFlow {
    private static final int MOST_CARRIED = 6;
    private static final int LARGEST_BYTES = 4;

    private final long seed;
    private final Random random;
    /** Draws the bounds of edges: apart from the rest, so that graphs with and without are alike. */
    private final Random bounds;

    private int parts;
    private boolean isNested;

    final RatedWork work = new RatedWork();
    final FlowGraph<Integer, Item> graph;

    /**
     * A graph on the way: the outermost one, or the graph of a pipeline, whose items may carry buffers of the former.
     */
    private record Level(FlowBuilder<?, Item> g, List<Integer> pools, int copies, boolean isLoaded) {}

    RatedFlow(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.bounds = new Random(~seed);
        this.graph = FlowGraph.build("rated " + seed, this::build);
    }

    // ---- the graph

    private void build(FlowBuilder<Integer, Item> g) {
        Level level = level(g, 1 + random.nextInt(2), 1, false);
        Work begin = new Work();
        begin.most = random.nextInt(4) == 0 ? 2 : 1;
        FlowTask<Integer, Item> enter = g.<Integer, Item>task(
                        "enter", 1, () -> (n, out) -> work.work(begin, List.of(), 0, out))
                .oneByOne()
                .emits(begin.least, begin.most);
        g.input().to(enter);
        begin.consumers = all(level, enter, new int[RatedWork.MOST_EDGES], 2 + random.nextInt(4));
        if (random.nextInt(6) == 0) {
            Work started = new Work();
            FlowTask<Start, Item> start = g.<Item>start(
                            "start", 1, () -> (signal, out) -> work.work(started, List.of(), 0, out))
                    .types(Start.class, Item.class)
                    .emits(1);
            started.consumers = branch(level, start, new int[RatedWork.MOST_EDGES], 2);
        }
    }

    private Level level(FlowBuilder<?, Item> g, int edges, int copies, boolean isLoaded) {
        List<Integer> pools = new ArrayList<>();
        for (int i = 0; i < edges; i++) {
            pools.add(work.pools.size());
            work.pools.add(new Pool(edge(g, "pool " + work.pools.size()), copies));
        }
        return new Level(g, pools, copies, isLoaded);
    }

    private MemoryEdge<int[]> edge(FlowBuilder<?, Item> g, String name) {
        int size = 2 + random.nextInt(4);
        int stated = random.nextInt(20) == 0 ? size - random.nextInt(2) : 0;
        switch (random.nextInt(6)) {
            case 0 -> {
                boolean isAmple = random.nextInt(4) > 0;
                long bytes = isAmple ? (long) size * LARGEST_BYTES * 2 : 2 * LARGEST_BYTES + random.nextInt(8);
                SizedEdge<int[]> edge = g.memory(name, size, bytes, its -> new int[(int) its]);
                return stated > 0 ? edge.atLeast(stated, "a guess") : edge;
            }
            case 1 -> {
                return g.<Integer, int[]>keyed(name, size, () -> new int[1], (key, buffer, item) -> buffer[0] = key);
            }
            default -> {
                MemoryEdge<int[]> edge = g.memory(name, size, () -> new int[1]);
                return stated > 0 ? edge.atLeast(stated, "a guess") : edge;
            }
        }
    }

    /** Adds chains after {@code from}, and for every edge a task that takes and one that releases. */
    private int all(Level level, FlowSource<Item> from, int[] carried, int length) {
        int holders = branch(level, from, carried, length);
        for (int pool : level.pools) {
            Work take = new Work();
            take(take, pool, 1);
            Work release = new Work();
            release.releases[pool] = 1;
            int[] next = carried.clone();
            next[pool]++;
            join(join(from, task(level, carried, take)), task(level, next, release))
                    .to(level.g.output());
            holders++;
        }
        return holders;
    }

    private void take(Work its, int pool, int count) {
        its.takes[pool] = count;
        its.bytes[pool] = work.pools.get(pool).edge instanceof SizedEdge
                ? count + random.nextInt(count * (LARGEST_BYTES - 1) + 1)
                : 0;
    }

    /** Adds one or two chains after {@code from}; returns the number of holders of each item that it emits. */
    private int branch(Level level, FlowSource<Item> from, int[] carried, int length) {
        int count = length > 1 && random.nextInt(4) == 0 ? 2 : 1;
        int holders = 0;
        for (int i = 0; i < count; i++) {
            holders += chain(level, from, carried.clone(), count == 1 ? length : length / 2);
        }
        return holders;
    }

    private int chain(Level level, FlowSource<Item> from, int[] carried, int length) {
        if (length == 0) {
            end(level, from, carried);
            return 1;
        }
        int total = Arrays.stream(carried).sum();
        boolean isLight = total > 0 && total <= MOST_CARRIED / 2;
        int kind = random.nextInt(16);
        if (kind == 10) {
            return diamond(level, from, carried, length);
        } else if (kind == 11 && isLight) {
            return rules(level, from, carried, length);
        } else if (kind == 12) {
            return around(level, from, carried);
        } else if (kind > 12 && !isNested && (total == 0 || (kind == 13 && isLight))) {
            return inside(level, from, carried, length);
        }
        Work its = new Work();
        int[] next = carried.clone();
        if (kind < 5 && total < MOST_CARRIED) {
            for (int pool : level.pools) {
                if (random.nextInt(4) == 0 || pool == level.pools.get(kind % level.pools.size())) {
                    take(
                            its,
                            pool,
                            1
                                    + random.nextInt(Math.min(
                                            2, work.pools.get(pool).edge.size())));
                    next[pool] += its.takes[pool];
                }
            }
            spread(level, its, next);
        } else if (kind < 7 && (isLight || (total == 0 && isNested))) {
            Bookkeeper<Item> keeper = keeper(level, from, carried);
            collect(its, next);
            its.consumers = branch(level, rule(level, keeper, its, carried), next, length - 1);
            return 1;
        } else if (kind < 8) {
            spread(level, its, next);
        } else {
            level.pools.stream().filter(pool -> carried[pool] > 0).findFirst().ifPresent(pool -> {
                its.releases[pool] = 1;
                next[pool]--;
            });
        }
        its.consumers = branch(level, join(from, task(level, carried, its)), next, length - 1);
        return 1;
    }

    private static void collect(Work its, int[] next) {
        its.collects = 2;
        for (int i = 0; i < next.length; i++) {
            next[i] *= 2;
        }
    }

    /** Two tasks between {@code from} and one that both send to. */
    private int diamond(Level level, FlowSource<Item> from, int[] carried, int length) {
        Work both = new Work();
        FlowTask<Item, Item> last = task(level, carried, both);
        for (int i = 0; i < 2; i++) {
            join(join(from, task(level, carried, new Work())), last);
        }
        both.consumers = branch(level, last, carried, length - 1);
        return 2;
    }

    /** A bookkeeper with two rules, one of which collects items. */
    private int rules(Level level, FlowSource<Item> from, int[] carried, int length) {
        Bookkeeper<Item> keeper = keeper(level, from, carried);
        for (int i = 0; i < 2; i++) {
            Work its = new Work();
            its.index = i;
            int[] next = carried.clone();
            if (i == 0) {
                collect(its, next);
            }
            its.consumers = branch(level, rule(level, keeper, its, carried), next, (length - 1) / 2);
        }
        return 2;
    }

    /** A cycle: one rule sends items round again, the other one on. The task may need a buffer meanwhile. */
    private int around(Level level, FlowSource<Item> from, int[] carried) {
        Work turn = new Work();
        turn.consumers = 2;
        if (random.nextBoolean()) {
            int pool = level.pools.getFirst();
            take(turn, pool, 1);
            turn.releases[pool] = 1;
        }
        FlowTask<Item, Item> round = task(level, carried, turn);
        from.to(round.terminatedWhen(Termination.whenDrained()));
        Bookkeeper<Item> keeper = keeper(level, round, carried);
        for (int i = 0; i < 2; i++) {
            Work its = new Work();
            its.index = i;
            its.least = 0;
            FlowSource<Item> source = rule(level, keeper, its, carried);
            if (i == 0) {
                source.to(round);
            } else {
                end(level, source, carried);
            }
        }
        return 1;
    }

    /** A graph of its own inside, once or in a pipeline. */
    private int inside(Level level, FlowSource<Item> from, int[] carried, int length) {
        isNested = true;
        boolean isLoaded = Arrays.stream(carried).sum() > 0;
        int copies = 1 + random.nextInt(3);
        int edges = Math.min(1 + random.nextInt(2), RatedWork.MOST_EDGES - work.pools.size());
        FlowGraph<Item, Item> inner = FlowGraph.build("inside", g -> {
            Level its = level(g, edges, copies, isLoaded);
            Work enter = new Work();
            FlowTask<Item, Item> first = task(its, carried, enter);
            g.input().to(first);
            enter.consumers = all(its, first, carried, 1 + random.nextInt(3));
        });
        String name = "inside " + parts++;
        if (copies == 1) {
            FlowGraph.Nested<Item, Item> nested = level.g.graph(name, inner);
            from.to(nested);
            join(level, nested, carried, length);
            return 1;
        }
        FlowPipeline<Item, Item> pipeline = level.g.pipeline(name, inner, copies);
        int way = random.nextInt(isLoaded ? 3 : 4);
        pipeline.distribute(
                switch (way) {
                    case 0 -> Distribution.roundRobin();
                    case 1 -> (item, loads) -> choose(loads.copies());
                    case 2 -> Distribution.broadcast();
                    default -> Distribution.matching((item, copy) -> copy == 0 || RatedWork.random(2) == 0);
                });
        from.to(pipeline);
        join(level, pipeline, carried, length);
        return way == 2 ? copies : 1;
    }

    private int choose(int copies) {
        Event event = work.played;
        return event == null ? (int) RatedWork.random(copies) : event.emits().indexOf(1);
    }

    /** Adds a task after a graph inside, which ends items of its own, too: all carry what items carried before it. */
    private void join(Level level, FlowSource<Item> inside, int[] carried, int length) {
        Work its = new Work();
        its.consumers = branch(level, inside.to(task(level, carried, its)), carried, length - 1);
    }

    /** Draws the number of items that go out, and whether they share the buffers. */
    private void spread(Level level, Work its, int[] next) {
        int total = Arrays.stream(next).sum();
        switch (random.nextInt(6)) {
            case 0 -> {
                its.least = level.isLoaded ? 1 : 2;
                its.most = its.least;
                if (!level.isLoaded && total == 2 && Arrays.stream(next).max().orElse(0) == 2 && random.nextBoolean()) {
                    its.shares = true;
                    for (int i = 0; i < next.length; i++) {
                        next[i] /= 2;
                    }
                }
            }
            case 1 -> its.least = 0;
            case 2 -> its.most = level.isLoaded ? 1 : 2;
            default -> {}
        }
    }

    /** Releases the buffers of the level. */
    private void end(Level level, FlowSource<Item> from, int[] carried) {
        Work its = new Work();
        level.pools.forEach(pool -> its.releases[pool] = carried[pool]);
        join(from, task(level, carried, its)).to(level.g.output());
    }

    /** Joins two parts, by an edge with a bound now and then. */
    private <S extends Sink<Item>> S join(FlowSource<Item> from, S to) {
        int most = switch (from) {
            case FlowTask<?, ?> task when !task.settings.is(Trait.START) -> task.settings.rate.most;
            case RuleOutput<?> rule -> rule.rate.most;
            default -> Rate.UNKNOWN;
        };
        return most >= 0 && bounds.nextInt(6) == 0 ? from.to(to, Math.max(1, most) + bounds.nextInt(2)) : from.to(to);
    }

    private FlowTask<Item, Item> task(Level level, int[] carried, Work its) {
        its.drops = random.nextInt(6) == 0;
        FlowTask<Item, Item> task = level.g
                .<Item, Item>task("task " + parts++, 1 + random.nextInt(2), () -> work.new Working(its))
                .oneByOne()
                .emits(its.least, its.most);
        if (its.drops) {
            task.onError(work::drop);
        }
        for (int pool : level.pools) {
            MemoryEdge<int[]> edge = work.pools.get(pool).edge;
            if (seed % 4 > 0) {
                task.carries(edge, carried[pool]);
            }
            if (its.takes[pool] > 0 && edge instanceof SizedEdge<int[]> sized) {
                task.takes(sized, its.takes[pool], its.bytes[pool]);
            } else if (its.takes[pool] > 0) {
                task.takes(edge, its.takes[pool]);
            }
            if (its.releases[pool] > 0) {
                task.releases(edge, its.releases[pool]);
            }
        }
        return task;
    }

    private Bookkeeper<Item> keeper(Level level, FlowSource<Item> from, int[] carried) {
        Bookkeeper<Item> keeper = level.g.bookkeeper("keep " + parts++);
        join(from, keeper);
        for (int pool : level.pools) {
            if (seed % 4 > 0) {
                keeper.carries(work.pools.get(pool).edge, carried[pool]);
            }
        }
        return keeper;
    }

    /** A rule of a copy, where its items carry buffers; else of all copies. */
    private FlowSource<Item> rule(Level level, Bookkeeper<Item> keeper, Work its, int[] carried) {
        boolean isShared = level.copies == 1 || Arrays.stream(carried).sum() == 0;
        RuleOutput<Item> rule = isShared
                ? keeper.rulePerRun(() -> work.new Collecting(its))
                : keeper.rulePerCopy(() -> work.new Collecting(its));
        return rule.collects(its.collects).emits(its.least, its.most);
    }
}
