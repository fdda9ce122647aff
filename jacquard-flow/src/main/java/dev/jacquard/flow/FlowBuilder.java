package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.KeyedEdge.Loader;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.memory.Permit;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.memory.SizedEdge.SizedAllocator;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Trait;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Start;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a graph inside {@link FlowGraph#build}.
 *
 * <p>Threads: confined to the thread that builds the graph. Once the graph is built, every method throws
 * IllegalStateException.
 *
 * @param <I> the type of the items that come into the graph
 * @param <O> the type of the items that leave the graph
 */
public final class FlowBuilder<I, O> {
    private static final int MOST_COPIES = 1 << 16;
    private static final int MOST_PIPELINES = 1 << 10;
    private static final int MOST_BUFFERS = 1 << 24;

    private final GraphParts parts;
    private final FlowSource<I> input;
    private final Sink<O> output;

    FlowBuilder(String name) {
        this.parts = new GraphParts(name);
        this.input = new FlowSource<>(parts);
        this.output = new GraphParts.Output<>(name);
    }

    /** Returns the graph's input, the source of the items from outside. */
    public FlowSource<I> input() {
        parts.checkOpen();
        return input;
    }

    /** Returns the graph's output. */
    public Sink<O> output() {
        parts.checkOpen();
        parts.output = output;
        return output;
    }

    /**
     * Adds a task.
     *
     * @param task the name, unique in the graph
     * @param copies the number of items that the task can work on at once
     * @param body creates a body per copy. This must be cheap, since {@link FlowGraph#check} creates a body to inspect
     *     its class; heavy work belongs in {@link Body#initialize}
     */
    public <A, B> FlowTask<A, B> task(String task, int copies, Supplier<? extends Body<A, B>> body) {
        requireCopies(task, copies);
        requireGiven(body, "body", task);
        return add(new FlowTask<>(parts, task, copies, body));
    }

    /**
     * Adds a task that emits what {@code by} makes of each item. The task declares this rate, and all copies share
     * {@code by}, so it must have no state. The lambda states the type where no target does:
     * {@code g.input().to(g.map("square", 2, (Integer n) -> n * n)).to(g.output())}.
     *
     * @param task the name, unique in the graph
     * @param copies the number of items that the task can work on at once
     */
    public <A, B> FlowTask<A, B> map(String task, int copies, Body.Mapping<A, B> by) {
        requireGiven(by, "function", task);
        return this.<A, B>task(task, copies, () -> (item, out) -> out.emit(by.apply(item)))
                .emits(1);
    }

    /** Adds a task that emits the items of which {@code by} returns true: see {@link #map}. */
    public <A> FlowTask<A, A> filter(String task, int copies, Body.Mapping<A, Boolean> by) {
        requireGiven(by, "condition", task);
        FlowTask<A, A> filter = task(task, copies, () -> (item, out) -> {
            if (by.apply(item)) {
                out.emit(item);
            }
        });
        return filter.emits(0, 1);
    }

    /**
     * Adds a task that emits all that {@code by} makes of each item, in order, any number of items: see {@link #map}.
     */
    public <A, B> FlowTask<A, B> flatMap(String task, int copies, Body.Mapping<A, ? extends Iterable<? extends B>> by) {
        requireGiven(by, "function", task);
        return task(task, copies, () -> (item, out) -> by.apply(item).forEach(out::emit));
    }

    /** Adds a task that emits nothing, and hands each item to {@code action}: see {@link #map}. */
    public <A> FlowTask<A, Void> each(String task, int copies, Body.Action<A> action) {
        requireGiven(action, "action", task);
        FlowTask<A, Void> each = task(task, copies, () -> (item, out) -> action.accept(item));
        each.settings.out = Void.class;
        return each.emits(0);
    }

    /**
     * Adds a task that begins without a producer. Each copy's body gets {@link Start#SIGNAL} repeatedly until its
     * {@link Body#canTerminate} returns true; unless overridden, that is after the first signal.
     */
    public <B> FlowTask<Start, B> start(String task, int copies, Supplier<? extends Body<Start, B>> body) {
        requireCopies(task, copies);
        requireGiven(body, "body", task);
        return add(new FlowTask<>(parts, task, copies, body, Trait.START));
    }

    /** Adds a bookkeeper, which needs at least one {@linkplain Bookkeeper#rule rule}. */
    public <A> Bookkeeper<A> bookkeeper(String bookkeeper) {
        requireGiven(bookkeeper, "name", "a bookkeeper");
        return add(new Bookkeeper<>(parts, bookkeeper));
    }

    /** Adds a whole graph as one task. Each use of a graph has its own tasks, rules and buffers. */
    public <A, B> FlowGraph.Nested<A, B> graph(String task, FlowGraph<A, B> graph) {
        requireGiven(task, "name", "a graph inside");
        requireGiven(graph, "graph", task);
        return add(new FlowGraph.Nested<>(parts, task, graph.parts()));
    }

    /**
     * Adds {@code copies} copies of a graph that share the items.
     *
     * @param pipeline the name, unique in the graph
     * @param copies the number of copies
     * @throws IllegalArgumentException if there is no copy, or too many
     */
    public <A, B> FlowPipeline<A, B> pipeline(String pipeline, FlowGraph<A, B> graph, int copies) {
        requireGiven(pipeline, "name", "a pipeline");
        requireGiven(graph, "graph", pipeline);
        if (copies < 1 || copies > MOST_PIPELINES) {
            throw new IllegalArgumentException("pipeline \"" + pipeline + "\" of flow \"" + name() + "\" has " + copies
                    + " copies: at least 1, at most " + MOST_PIPELINES);
        }
        return add(new FlowPipeline<>(parts, pipeline, graph.parts(), copies, List.of()));
    }

    /**
     * Adds a copy of a graph per device, which share the items. The kernels of a copy run on its device, unless a task
     * inside is bound to {@linkplain FlowTask#on other devices}.
     *
     * @param pipeline the name, unique in the graph
     * @param devices names of devices, or kinds, which stand for all devices of that kind that the session has at the
     *     start of a run. A device that is named twice gets two copies
     * @throws IllegalArgumentException if {@code devices} is empty
     */
    public <A, B> FlowPipeline<A, B> pipeline(String pipeline, FlowGraph<A, B> graph, ExecutionTarget... devices) {
        requireGiven(pipeline, "name", "a pipeline");
        requireGiven(graph, "graph", pipeline);
        if (devices.length == 0) {
            throw new IllegalArgumentException("pipeline \"" + pipeline + "\" of flow \"" + name()
                    + "\" is over no device: name at least one, or state a number of copies");
        }
        for (ExecutionTarget device : devices) {
            requireGiven(device, "device", pipeline);
        }
        return add(new FlowPipeline<>(parts, pipeline, graph.parts(), 0, List.of(devices)));
    }

    /**
     * Adds an edge along which copies of this graph in a pipeline send items to each other by number. A graph that is
     * part of no pipeline has one copy, number 0.
     *
     * @param edge the name, unique in the graph
     */
    public <T> SiblingEdge<T> siblings(String edge) {
        parts.checkOpen();
        requireGiven(edge, "name", "an edge between siblings");
        SiblingEdge<T> siblings = new SiblingEdge<>(parts, edge);
        parts.siblings.add(siblings);
        return siblings;
    }

    /**
     * Adds a memory edge: at most {@code size} buffers are lent at any moment.
     *
     * @param edge the name, unique in the graph
     * @param size the number of buffers
     * @param allocator allocates the buffers at the start of a run; for a {@linkplain MemoryEdge#dynamic() dynamic}
     *     edge, one at each take
     */
    public <T> MemoryEdge<T> memory(String edge, int size, Allocator<T> allocator) {
        requireGiven(allocator, "allocator", edge);
        return add(edge, size, new MemoryEdge<>(edge, size, allocator));
    }

    /**
     * Adds a memory edge that lends data: elements in memory of the session that runs the graph. Tasks that a body
     * submits on the data ({@link dev.jacquard.flow.task.Emitter#graph}) find the data in the memory where they run. A
     * buffer that is taken holds the contents last written to it, or nothing, so it must be written first.
     *
     * @param edge the name, unique in the graph
     * @param size the number of buffers
     * @param layout the layout of each buffer
     */
    public MemoryEdge<Data> memory(String edge, int size, Layout layout) {
        requireGiven(layout, "layout", edge);
        return add(edge, size, MemoryEdge.ofData(edge, size, layout));
    }

    /**
     * Adds a memory edge that lends buffers of the sizes that takes state: at any moment at most {@code size} buffers,
     * of at most {@code bytes} bytes together. Tasks declare {@link FlowTask#takes(SizedEdge, int, long)}.
     *
     * @param edge the name, unique in the graph
     * @param size the number of buffers
     * @param bytes the number of bytes
     * @param allocator allocates a buffer at each take
     */
    public <T> SizedEdge<T> memory(String edge, int size, long bytes, SizedAllocator<T> allocator) {
        requireGiven(allocator, "allocator", edge);
        return add(edge, size, SizedEdge.of(edge, size, bytes, allocator));
    }

    /**
     * Adds a memory edge that lends data of the session, of the layouts that takes state: at any moment at most
     * {@code size} buffers, of at most {@code bytes} bytes together.
     */
    public SizedEdge<Data> memory(String edge, int size, long bytes) {
        return add(edge, size, SizedEdge.ofData(edge, size, bytes));
    }

    /**
     * Adds a memory edge that lends buffers by key, and keeps their contents: see {@link KeyedEdge}.
     *
     * @param edge the name, unique in the graph
     * @param size the number of buffers, which is the number of keys that are kept, and of loans at any moment
     * @param allocator allocates the buffers at the start of a run
     * @param loader fills a buffer with the contents of a key
     */
    public <K, T> KeyedEdge<K, T> keyed(String edge, int size, Allocator<T> allocator, Loader<K, T> loader) {
        requireGiven(allocator, "allocator", edge);
        requireGiven(loader, "loader", edge);
        return add(edge, size, KeyedEdge.of(edge, size, allocator, loader));
    }

    /** Adds a memory edge that lends data by key. The loader submits the tasks that write the data. */
    public <K> KeyedEdge<K, Data> keyed(String edge, int size, Layout layout, Loader<K, Data> loader) {
        requireGiven(layout, "layout", edge);
        requireGiven(loader, "loader", edge);
        return add(edge, size, KeyedEdge.ofData(edge, size, layout, loader));
    }

    /**
     * Adds a memory edge that allocates nothing: at most {@code size} permits are taken at any moment. See
     * {@link Permit}.
     */
    public MemoryEdge<Permit> permits(String edge, int size) {
        return add(edge, size, MemoryEdge.ofPermits(edge, size));
    }

    private <E extends MemoryEdge<?>> E add(String edge, int size, E memory) {
        parts.checkOpen();
        requireBuffers(edge, size);
        parts.memories.add(memory);
        return memory;
    }

    /** States the types of input and output for the check before the run; a primitive type stands for its objects. */
    public void types(Class<?> in, Class<?> out) {
        parts.checkOpen();
        parts.inputType = TypeFinder.boxed(in);
        parts.outputType = TypeFinder.boxed(out);
    }

    private void requireCopies(@Nullable String task, int copies) {
        requireGiven(task, "name", "a task");
        if (copies > MOST_COPIES) {
            throw new IllegalArgumentException(
                    "task \"" + task + "\" of flow \"" + name() + "\" has " + copies + " copies: at most " + MOST_COPIES
                            + ", and more than there are workers help only where they block");
        }
    }

    private void requireBuffers(@Nullable String edge, int size) {
        requireGiven(edge, "name", "a memory edge");
        if (size > MOST_BUFFERS) {
            throw new IllegalArgumentException(
                    "memory edge \"" + edge + "\" of flow \"" + name() + "\" has " + size + " buffers: at most "
                            + MOST_BUFFERS + "; it needs as many as are in use at once, not one per item");
        }
    }

    private void requireGiven(@Nullable Object what, String kind, @Nullable String of) {
        if (what == null) {
            throw new NullPointerException(
                    "the " + kind + " of \"" + of + "\" in flow \"" + name() + "\" is null: give one");
        }
    }

    private <S extends Sink<?>> S add(S part) {
        parts.checkOpen();
        parts.parts.add(part);
        return part;
    }

    /** Returns the graph's name. */
    public String name() {
        return parts.name;
    }

    /** Ends the description; returns the parts. */
    GraphParts close() {
        parts.close(input);
        return parts;
    }
}
