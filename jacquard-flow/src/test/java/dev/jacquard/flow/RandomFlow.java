package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.RandomBodies.Item;
import dev.jacquard.flow.RandomMemories.Held;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A random graph whose results are known: layers of parts that each map a number to some numbers. A part is a task, a
 * bookkeeper, tasks that take and release buffers or permits, a graph, a cycle, or a task that submits tasks to the
 * engine. Tasks poll, have an order of their own, threads of their own, or take one item at a time.
 */
final class RandomFlow {
    /** The kinds of parts. */
    private enum Kind {
        /** A task makes some numbers of each. */
        MAP,
        /** A rule makes some numbers of each. */
        KEEP,
        /** The next number; takes a buffer of each edge, in two tasks. */
        HOLD,
        /** The next number; takes two buffers of one edge, in two tasks. */
        TWICE,
        /** As MAP and HOLD, by a graph with an edge of its own. */
        NESTED,
        /** As NESTED, by a pipeline of such graphs. */
        PIPE,
        /** Adds 1 some times, from one copy of a pipeline to the next. */
        WANDER,
        /** The next number; takes a buffer by its size, in two tasks. */
        SIZED,
        /** The next number; takes a buffer by its key, in two tasks. */
        KEYED,
        /** The next number; takes a permit, in two tasks. */
        PERMITS,
        /** As MAP, by tasks that the items go to by their type. */
        TYPED,
        /** Adds 1 some times, on a cycle. */
        ROUND,
        /** Some numbers, by tasks of the engine. */
        ENGINE,
        /** Three times the number and 1, by a kernel on data that an edge lends. */
        LEND,
        /** As LEND, by a pipeline over the devices of the session. */
        DEVICES
    }

    /** Where tasks run. */
    enum Threads {
        SHARED,
        /** Some tasks have threads of their own. */
        MIXED,
        DEDICATED
    }

    /** Values that are sent are smaller. */
    static final int LARGEST = 60;
    /** The first of the values that come from a start task. */
    private static final long STARTED = 1_000;

    private static final String START = "start";

    private static final int MOST_PARTS = 6;
    /** Kinds that need no session. */
    private static final List<Kind> ALONE = List.of(
            Kind.MAP,
            Kind.KEEP,
            Kind.HOLD,
            Kind.TWICE,
            Kind.NESTED,
            Kind.PIPE,
            Kind.WANDER,
            Kind.SIZED,
            Kind.KEYED,
            Kind.PERMITS,
            Kind.TYPED,
            Kind.ROUND);

    private final long seed;
    private final Threads threads;
    private final List<int[]> edges = new ArrayList<>();
    private final List<Kind> kinds = new ArrayList<>();
    private final List<Integer> copies = new ArrayList<>();
    private final int[] pools = new int[3];
    private final boolean[] dynamic = new boolean[3];
    /** How many copies a start task has; 0 for none. */
    private final int starts;
    /** The part to which it sends. */
    private final int startsAt;

    final RandomBodies bodies;
    private final RandomPipelines pipelines;
    private final FlowGraph<Item, Item> graph;
    /** The edges from which threads outside may take, too. */
    final List<MemoryEdge<long[]>> memories = new ArrayList<>();

    /** A graph without tasks of the engine. */
    RandomFlow(long seed, Threads threads) {
        this(seed, threads, ALONE);
    }

    /** A graph for a session. */
    static RandomFlow forSession(long seed, Threads threads) {
        return new RandomFlow(seed, threads, List.of(Kind.values()));
    }

    private RandomFlow(long seed, Threads threads, List<Kind> used) {
        this.seed = seed;
        this.threads = threads;
        this.bodies = new RandomBodies(seed);
        this.pipelines = new RandomPipelines(seed, bodies);
        Random random = new Random(seed);
        int size = 1 + random.nextInt(MOST_PARTS);
        for (int i = 0; i < size; i++) {
            kinds.add(used.get(random.nextInt(used.size())));
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
        starts = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0;
        startsAt = random.nextInt(size);
        for (int i = 0; i < pools.length; i++) {
            pools[i] = 1 + random.nextInt(3);
        }
        dynamic[0] = random.nextBoolean();
        dynamic[1] = random.nextBoolean();
        dynamic[2] = random.nextBoolean();
        // The need of one item after the other, whose parts may run in any order: one for each that takes twice, and
        // one more.
        int most = Math.max(
                LongStream.range(0, LARGEST)
                        .mapToInt(value -> takeTwice(-1, value))
                        .max()
                        .orElse(0),
                started().mapToInt(value -> takeTwiceAt(startsAt, value)).max().orElse(0));
        pools[0] = Math.max(pools[0], most == 0 ? 1 : most + 1);
        this.graph = FlowGraph.build("random " + seed, g -> build(g, size));
    }

    int largestPool() {
        int copies = IntStream.range(0, kinds.size()) // with a pool of one buffer each, by one allocator
                .filter(part -> kinds.get(part) == Kind.PIPE)
                .map(pipelines::copies)
                .max()
                .orElse(1);
        return Math.max(copies, Math.max(pools[0], pools[1]));
    }

    FlowGraph<Item, Item> graph() {
        return graph;
    }

    // ---- the graph

    private void build(FlowBuilder<Item, Item> g, int size) {
        for (int i = 0; i < 2; i++) {
            MemoryEdge<long[]> edge = g.memory("memory " + i, pools[i], bodies.new Counting());
            memories.add(dynamic[i] ? edge.dynamic() : edge);
            edge.takenOutside().releasedOutside();
        }
        List<Sink<Item>> sinks = new ArrayList<>();
        List<FlowSource<Item>> sources = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            add(g, i, sinks, sources);
        }
        for (int[] edge : edges) {
            FlowSource<Item> from = edge[0] < 0 ? g.input() : sources.get(edge[0]);
            if (edge[1] == size) {
                from.to(g.output());
            } else {
                join(from, sinks.get(edge[1]), edge[1]);
            }
        }
        if (starts > 0) {
            FlowTask<Start, Item> start = g.start(START, starts, () -> bodies.new Starting(STARTED));
            join(start.emits(1), sinks.get(startsAt), startsAt);
        }
    }

    /**
     * Joins two parts, by a bounded edge now and then. A part has bounded edges if it declares how many items it emits,
     * and holds no buffer: else one that waits for room would, and items at the end of the edge could lack it.
     */
    private void join(FlowSource<Item> from, Sink<Item> to, int part) {
        int most = switch (from) {
            case FlowTask<?, ?> task -> task.settings.rate.most;
            case RuleOutput<?> rule -> rule.rate.most;
            default -> 0;
        };
        int drawn = new Random(seed ^ (part + 1) * 0x2545f4914f6cdd1dL).nextInt(6);
        if (most > 0 && drawn < 3 && !(to instanceof FlowPipeline<?, ?>)) {
            from.to(to, most + drawn);
        } else {
            from.to(to);
        }
    }

    private void add(FlowBuilder<Item, Item> g, int i, List<Sink<Item>> sinks, List<FlowSource<Item>> sources) {
        switch (kinds.get(i)) {
            case MAP -> {
                FlowTask<Item, Item> map = map(g, i);
                boolean newestFirst = map.settings.order == null && new Random(seed + i).nextInt(3) == 0;
                addTask(newestFirst ? map.queue(RandomEdges.NewestFirst::new) : emitting(map), sinks, sources);
            }
            case KEEP -> {
                Bookkeeper<Item> keeper = g.bookkeeper("keep " + i);
                sinks.add(keeper);
                sources.add(keeper.rulePerRun(() -> bodies.new Keeping(i)).emits(0, RandomBodies.MOST_IMAGES));
            }
            case HOLD, TWICE -> {
                MemoryEdge<long[]> more = memories.get(kinds.get(i) == Kind.TWICE ? 0 : 1);
                hold(g, i, copies.get(i), List.of(memories.getFirst(), more), sinks, sources);
            }
            case NESTED -> {
                FlowGraph.Nested<Item, Item> nested = g.graph("graph " + i, nested(i));
                sinks.add(nested);
                sources.add(nested);
            }
            case PIPE -> addPipeline(pipelines.add(g, i, nested(i)), sinks, sources);
            case WANDER -> addPipeline(pipelines.add(g, i, pipelines.wandering(i)), sinks, sources);
            case DEVICES -> addPipeline(pipelines.addOnDevices(g, i, lending(i)), sinks, sources);
            case SIZED, KEYED, PERMITS -> {
                RandomMemories memories = new RandomMemories(bodies, g, i, pools[1], copies.get(i));
                RandomMemories.Pair pair = switch (kinds.get(i)) {
                    case SIZED -> memories.sized();
                    case KEYED -> memories.keyed();
                    default -> memories.permits();
                };
                FlowTask<Item, Held> first = drop(i, mode(pair.first(), bodies::compare));
                first.to(mode(pair.last(), Comparator.comparing(Held::value)));
                sinks.add(pair.first());
                sources.add(pair.last());
            }
            case TYPED -> {
                RandomEdges typed = new RandomEdges(bodies, g, i, copies.get(i));
                FlowTask<Item, RandomEdges.Parity> split = drop(i, mode(typed.byType(), bodies::compare));
                int drawn = new Random(~seed - i).nextInt(6);
                int bound = drawn < 3 ? RandomBodies.MOST_IMAGES + drawn : 0;
                sinks.add(split.emits(0, RandomBodies.MOST_IMAGES));
                sources.add(mode(typed.last(split, bound, drawn % 2 == 0)));
            }
            case ROUND -> {
                // One rule sends an item round again, the other one on.
                FlowTask<Item, Item> round = mode(g.task("round " + i, copies.get(i), () -> bodies.new Turning()));
                round.terminatedWhen(Termination.whenDrained());
                Bookkeeper<Item> turn = g.bookkeeper("turn " + i);
                round.to(turn);
                turn.rulePerRun(() -> bodies.new Turn(true)).to(round);
                sinks.add(round);
                sources.add(turn.rulePerRun(() -> bodies.new Turn(false)));
            }
            case ENGINE ->
                addTask(
                        drop(i, mode(g.task("engine " + i, copies.get(i), () -> bodies.new Submitting(i))))
                                .emits(0, RandomBodies.MOST_IMAGES),
                        sinks,
                        sources);
            case LEND -> {
                MemoryEdge<Data> lent =
                        g.memory("data " + i, pools[2], Layout.of(DataType.INT64, RandomBodies.ELEMENTS));
                if (dynamic[2]) {
                    lent.dynamic();
                }
                FlowTask<Item, Item> task = mode(g.task(
                                "lend " + i, copies.get(i), () -> bodies.new Lending(lent, i % 3 == 0)))
                        .takes(lent);
                lent.releasedOutside();
                addTask(place(i, task), sinks, sources);
            }
        }
    }

    /** Binds copies to devices, or routes items to the devices and the host; a task with a priority cannot route. */
    private FlowTask<Item, Item> place(int i, FlowTask<Item, Item> task) {
        if (i % 2 == 1 && bodies.devices > 0 && task.settings.order == null) {
            task.on(ExecutionTarget.EMULATED, ExecutionTarget.HOST);
            return i % 4 == 1 ? task.byMeasuredTime() : task.byMeasuredTime(item -> Math.abs(item.value() % 100));
        }
        return i % 2 == 0 && bodies.devices > 0 && !bodies.faulty ? task.on(ExecutionTarget.EMULATED) : task;
    }

    private FlowTask<Item, Item> map(FlowBuilder<Item, Item> g, int i) {
        return drop(i, mode(g.task("map " + i, copies.get(i), () -> bodies.new Mapping(i))));
    }

    /** Lets bounded edges lead from a task that makes some numbers of one; a task with a queue cannot have these. */
    private static FlowTask<Item, Item> emitting(FlowTask<Item, Item> task) {
        return task.emits(0, RandomBodies.MOST_IMAGES);
    }

    private static void addTask(FlowTask<Item, Item> task, List<Sink<Item>> sinks, List<FlowSource<Item>> sources) {
        sinks.add(task);
        sources.add(task);
    }

    private static void addPipeline(
            FlowPipeline<Item, Item> pipeline, List<Sink<Item>> sinks, List<FlowSource<Item>> sources) {
        sinks.add(pipeline);
        sources.add(pipeline);
    }

    /** Takes one buffer of each edge in a task of its own, then releases all: an item holds one and waits for more. */
    private void hold(
            FlowBuilder<Item, Item> g,
            int i,
            int copies,
            List<MemoryEdge<long[]>> taken,
            List<Sink<Item>> sinks,
            List<FlowSource<Item>> sources) {
        FlowTask<Item, Item> before = null;
        for (int step = 0; step < taken.size(); step++) {
            MemoryEdge<long[]> edge = taken.get(step);
            String name = (step == 0 ? "take " : "take more ") + i;
            boolean first = step == 0;
            FlowTask<Item, Item> task = mode(g.task(name, first ? copies : 1, () -> bodies.new Taking(edge, i, first)))
                    .takes(edge);
            if (before == null) {
                sinks.add(drop(i, task));
            } else {
                before.to(task);
            }
            before = task;
        }
        FlowTask<Item, Item> last = mode(g.task("release " + i, 2, () -> bodies.new Releasing()));
        taken.forEach(last::releases);
        if (before != null) {
            before.to(last);
        }
        sources.add(last);
    }

    private FlowGraph<Item, Item> nested(int i) {
        return FlowGraph.build("nested " + i, g -> {
            MemoryEdge<long[]> edge = g.memory("own", 1, bodies.new Counting());
            List<Sink<Item>> sinks = new ArrayList<>();
            List<FlowSource<Item>> sources = new ArrayList<>();
            FlowTask<Item, Item> map = emitting(map(g, i));
            hold(g, i, copies.get(i), List.of(edge), sinks, sources);
            join(g.input().to(map), sinks.getFirst(), i);
            sources.getFirst().to(g.output());
        });
    }

    private FlowGraph<Item, Item> lending(int i) {
        return FlowGraph.build("lending " + i, g -> {
            MemoryEdge<Data> lent = g.memory("data", 1, Layout.of(DataType.INT64, RandomBodies.ELEMENTS));
            FlowTask<Item, Item> task = mode(g.task("lend " + i, 1, () -> bodies.new Lending(lent, i % 2 == 0)));
            g.input().to(task.takes(lent).releases(lent)).to(g.output());
        });
    }

    private FlowTask<Item, Item> mode(FlowTask<Item, Item> task) {
        return mode(task, bodies::compare);
    }

    private <A, B> FlowTask<A, B> mode(FlowTask<A, B> task, Comparator<A> order) {
        Random random = new Random(seed ^ task.name().hashCode());
        FlowTask<A, B> its = random.nextInt(4) == 0 ? task.oneByOne() : task;
        if (random.nextInt(4) == 0) {
            its = its.priority(order);
        }
        if (random.nextInt(6) == 0) {
            its = its.poll(Duration.ofMillis(1));
        }
        if (random.nextInt(3) == 0) {
            its = its.inFlight(1 + random.nextInt(3));
        }
        boolean own = random.nextInt(3) == 0;
        if (random.nextInt(4) == 0) {
            its = its.ordered();
        }
        return threads == Threads.DEDICATED || (threads == Threads.MIXED && own) ? its.dedicated() : its;
    }

    /** Lets a task drop items that cannot be used; other exceptions fail the run, in spite of the handler. */
    private <B> FlowTask<Item, B> drop(int part, FlowTask<Item, B> task) {
        return !bodies.drops(part)
                ? task
                : task.onError((item, failure, out) -> {
                    boolean unloaded = failure.getCause() instanceof RandomBodies.Unusable; // by the loader of its key
                    if (!unloaded && !(failure instanceof RandomBodies.Unusable)) {
                        throw failure;
                    }
                });
    }

    // ---- the oracle

    private LongStream started() {
        return LongStream.range(STARTED, STARTED + starts);
    }

    /** What comes out, sorted. */
    List<Long> expected(List<Long> sent) {
        List<Long> results = new ArrayList<>();
        sent.forEach(value -> spread(-1, value, results));
        started().forEach(value -> at(startsAt, value).forEach(image -> spread(startsAt, image, results)));
        results.sort(null);
        return results;
    }

    /** Returns the numbers that a part makes of one. */
    private Stream<Long> at(int part, long value) {
        return switch (kinds.get(part)) {
            case MAP, TYPED -> bodies.isDropped(part, value) ? Stream.of() : RandomBodies.images(part, value).stream();
            case KEEP -> RandomBodies.images(part, value).stream();
            case KEYED ->
                bodies.isDropped(part, value) || bodies.failsToLoad(part, RandomMemories.keyOf(value))
                        ? Stream.of()
                        : Stream.of(value + 1);
            case HOLD, TWICE, SIZED, PERMITS -> bodies.isDropped(part, value) ? Stream.of() : Stream.of(value + 1);
            case NESTED -> nestedAt(part, value);
            case ROUND -> Stream.of(value + 1 + RandomBodies.rounds(value));
            case PIPE -> everywhere(part, nestedAt(part, value));
            case WANDER -> everywhere(part, Stream.of(value + RandomPipelines.steps(value)));
            case ENGINE -> bodies.isDropped(part, value) ? Stream.of() : RandomBodies.images(part, value * 3).stream();
            case LEND, DEVICES -> Stream.of(value * 3 + 1);
        };
    }

    /** Returns the numbers that the graph of {@link #nested} makes of one. */
    private Stream<Long> nestedAt(int part, long value) {
        return bodies.isDropped(part, value)
                ? Stream.of()
                : RandomBodies.images(part, value).stream()
                        .filter(image -> !bodies.isDropped(part, image))
                        .map(image -> image + 1);
    }

    /** Returns the numbers that a copy of a pipeline makes, once per copy that gets each item. */
    private Stream<Long> everywhere(int part, Stream<Long> images) {
        return images.flatMap(image -> Collections.nCopies(pipelines.receivers(part), image).stream());
    }

    /** How many of the items that {@code value}, made by {@code from}, leads to take twice. */
    private int takeTwice(int from, long value) {
        return behind(from).mapToInt(part -> takeTwiceAt(part, value)).sum();
    }

    private int takeTwiceAt(int part, long value) {
        return (kinds.get(part) == Kind.TWICE ? 1 : 0)
                + at(part, value).mapToInt(image -> takeTwice(part, image)).sum();
    }

    /** The parts that get what {@code from} makes. */
    private Stream<Integer> behind(int from) {
        return edges.stream()
                .filter(edge -> edge[0] == from && edge[1] < kinds.size())
                .map(edge -> edge[1]);
    }

    private void spread(int from, long value, List<Long> results) {
        if (edges.stream().anyMatch(edge -> edge[0] == from && edge[1] == kinds.size())) {
            results.add(value);
        }
        behind(from).forEach(part -> at(part, value).forEach(image -> spread(part, image, results)));
    }

    // ---- what a finished run must satisfy, however it ended

    /** Every item that was sent along an edge was executed, failed or cancelled at its end. */
    static void checkNothingIsLost(FlowRun<?, ?> run) {
        FlowProfile profile = run.profile();
        FlowReport report = run.report();
        Map<String, Long> arrived = profile.links().stream()
                .collect(Collectors.groupingBy(FlowProfile.Link::to, Collectors.summingLong(FlowProfile.Link::items)));
        for (FlowReport.TaskCount task : report.tasks()) {
            long ended = task.executed() + task.failed() + task.cancelled() + task.dropped();
            if (task.task().substring(task.task().lastIndexOf('/') + 1).startsWith(START)) {
                continue; // its signals come along no edge
            }
            if (ended != arrived.getOrDefault(task.task(), 0L)) {
                throw new AssertionError("\"" + task.task() + "\" got " + arrived.get(task.task()) + " items, and "
                        + ended + " ended\n" + report);
            }
        }
        long out = arrived.getOrDefault(FlowProfile.OUTPUT, 0L);
        if (report.delivered() + report.undelivered() != out) {
            throw new AssertionError(out + " items reached the output\n" + report);
        }
        checkBounds(profile);
        for (FlowProfile.Memory memory : profile.memories()) {
            if (memory.peak() > memory.size() || memory.peakBytes() > memory.limitBytes()) {
                throw new AssertionError("more lent than there are: " + memory);
            }
        }
    }

    /** No more items waited than there is room on the edges that lead to a task, if all of these have a bound. */
    private static void checkBounds(FlowProfile profile) {
        for (FlowProfile.Task task : profile.tasks()) {
            List<FlowProfile.Link> links = profile.links().stream()
                    .filter(link -> link.to().equals(task.name()))
                    .toList();
            long room = links.stream().mapToLong(FlowProfile.Link::bound).sum();
            if (!links.isEmpty() && links.stream().allMatch(link -> link.bound() > 0) && task.largestQueue() > room) {
                throw new AssertionError(task.largestQueue() + " items waited at \"" + task.name() + "\", and there is"
                        + " room for " + room);
            }
        }
    }

    /** With an input that is bounded in half of the cases, by 1 to 3 items. */
    FlowRun<Item, Item> start(Workers workers) {
        return graph.start(workers, options());
    }

    FlowRun.Options options() {
        return FlowRun.Options.defaults().withInputBound(Math.max(0, (int) (seed % 7) - 3));
    }
}
