package dev.jacquard.flow;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Trait;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.ErrorHandler;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.flow.task.WaitingItems;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * A task of a graph: copies of a body that serve one input queue.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <A> the type of the items that come in
 * @param <B> the type of the items that go out
 */
public final class FlowTask<A, B> extends FlowSource<B> implements Sink<A> {
    final int copies;
    final Supplier<? extends Body<A, B>> bodies;
    final TaskSettings<A, B> settings;
    private final String name;

    FlowTask(GraphParts graph, String name, int copies, Supplier<? extends Body<A, B>> bodies, Trait... traits) {
        super(graph);
        this.name = name;
        this.copies = copies;
        this.bodies = bodies;
        this.settings = new TaskSettings<>(name);
        settings.traits.addAll(List.of(traits));
    }

    @Override
    public FlowTask<A, B> endsHere() {
        super.endsHere();
        return this;
    }

    /** Gives each copy its own thread, for bodies that block. */
    public FlowTask<A, B> dedicated() {
        requireOpen();
        settings.traits.add(Trait.DEDICATED);
        return this;
    }

    /**
     * Lets each copy take one item at a time, however cheap the items are. This serves tasks with many cheap items and
     * a few that take long: otherwise a copy takes up to 256 cheap items at once, and the items after one that takes
     * long wait for it, even if other copies are idle.
     */
    public FlowTask<A, B> oneByOne() {
        requireOpen();
        settings.traits.add(Trait.ONE_BY_ONE);
        return this;
    }

    /**
     * Calls the body's idle phase when no item has come for {@code timeout}, and asks the body whether it is done.
     *
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    public FlowTask<A, B> poll(Duration timeout) {
        requireOpen();
        FlowSource.requireGiven(timeout, "time after which task \"" + name + "\" polls");
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException(
                    "task \"" + name + "\" polls every " + timeout + ": it must be positive");
        }
        settings.pollNanos =
                timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? timeout.toNanos() : Long.MAX_VALUE;
        return this;
    }

    /**
     * Serves the least waiting item first, in the order of {@code by}, instead of the oldest. The comparator is called
     * under locks: it must not block, nor use the run, since the run's methods throw there. If tasks before this one,
     * this task and tasks after it all take from memory edges, the items that stem from the oldest item from outside
     * come first, since they may hold buffers that other items wait for; {@code by} then decides among items that stem
     * from the same item. So it is where a bounded edge leads to this task, and this task and tasks after it take.
     */
    public FlowTask<A, B> priority(Comparator<? super A> by) {
        requireOpen();
        FlowSource.requireGiven(by, "order of task \"" + name + '"');
        settings.order = by;
        return this;
    }

    /**
     * Lets items wait in a queue of the user's: an edge that keeps the newest item only, one item for each key, or
     * items in any order. Each run, and each copy of a pipeline, gets a new queue. Its items are taken one at a time.
     * An item that the queue drops counts as dropped, and leaves nothing in the graph, as one that fails with
     * {@link #onError}; the handler is not called for it.
     */
    public FlowTask<A, B> queue(Supplier<? extends WaitingItems<A>> items) {
        requireOpen();
        FlowSource.requireGiven(items, "queue of task \"" + name + '"');
        settings.queue = items;
        return this;
    }

    /**
     * Binds the copies to devices, round robin: the first copy to the first device, and so on. A copy learns its device
     * in {@link Body#initialize}, and the kernels that its body submits ({@link dev.jacquard.flow.task.Emitter#graph})
     * run on that device.
     *
     * @param wanted names of devices, or kinds, which stand for all devices of that kind that the session has;
     *     {@link ExecutionTarget#HOST} stands for the session's workers
     * @throws IllegalArgumentException if {@code wanted} is empty
     */
    public FlowTask<A, B> on(ExecutionTarget... wanted) {
        requireOpen();
        if (wanted.length == 0) {
            throw new IllegalArgumentException("task \"" + name + "\" is bound to no device: name at least one");
        }
        for (ExecutionTarget one : wanted) {
            FlowSource.requireGiven(one, "device of task \"" + name + '"');
            settings.devices.add(one);
        }
        return this;
    }

    /**
     * Routes items by measured time, as {@link #byMeasuredTime(ToLongFunction)}, for items that all take about as long.
     */
    public FlowTask<A, B> byMeasuredTime() {
        return byMeasuredTime(item -> 0);
    }

    /**
     * Routes each item to the target of {@link #on} where the item is expected to end first. The times of the items on
     * each target are measured, and remembered by the session for later runs of the graph; targets without measurements
     * are tried first. So a slow copy leaves items to a fast copy that is at work, as long as the fast one ends them
     * first. Kernels go to another of their targets when the device is lost or fails, and no further item to a lost
     * device.
     *
     * @param sizes returns the size of an item in bytes, or in another unit, 0 or more: sizes with the same highest bit
     *     have one time. Called under locks: it must not block, nor use the run, since the run's methods throw there
     */
    public FlowTask<A, B> byMeasuredTime(ToLongFunction<? super A> sizes) {
        requireOpen();
        FlowSource.requireGiven(sizes, "function of the sizes of items of task \"" + name + '"');
        settings.sizes = sizes;
        return this;
    }

    /**
     * Passes on results in the order of the items, however many copies there are: those of an item after those of all
     * items that copies took before. So items that wait for engine tasks, or are dropped, keep their place. The copies
     * take one item at a time. Results that wait for their turn are kept; a copy with as many items that wait, for
     * their turn or for engine tasks, as {@link #inFlight} states takes no further item.
     */
    public FlowTask<A, B> ordered() {
        requireOpen();
        settings.traits.add(Trait.ORDERED);
        return this;
    }

    /**
     * Sets the number of items with unfinished engine tasks that each copy may have; a copy with that many takes no
     * further item. The default is 32.
     *
     * @throws IllegalArgumentException if {@code items} is not positive
     */
    public FlowTask<A, B> inFlight(int items) {
        requireOpen();
        if (items < 1) {
            throw new IllegalArgumentException("task \"" + name + "\" has " + items + " items in flight: at least 1");
        }
        settings.inFlight = items;
        return this;
    }

    /** Declares that the body takes up to one buffer for each item: see {@link #takes(MemoryEdge, int)}. */
    public FlowTask<A, B> takes(MemoryEdge<?> edge) {
        return takes(edge, 1);
    }

    /**
     * Declares that the body takes up to {@code perItem} buffers for each item. The body is run once the buffers are
     * granted; buffers that it did not take are given back.
     *
     * @throws IllegalArgumentException if {@code perItem} is not positive
     */
    public FlowTask<A, B> takes(MemoryEdge<?> edge, int perItem) {
        requireOpen();
        FlowSource.requireGiven(edge, "memory edge that task \"" + name + "\" takes from");
        if (perItem < 1) {
            throw new IllegalArgumentException("task \"" + name + "\" takes " + perItem + " buffers of \"" + edge.name()
                    + "\" per item: at least 1");
        }
        settings.takes.merge(edge, perItem, (a, b) -> (int) Math.min(Integer.MAX_VALUE, (long) a + b));
        return this;
    }

    /**
     * Declares that the body takes up to {@code perItem} buffers for each item, of up to {@code bytes} bytes together.
     *
     * @throws IllegalArgumentException if {@code perItem} or {@code bytes} is not positive
     */
    public FlowTask<A, B> takes(SizedEdge<?> edge, int perItem, long bytes) {
        takes(edge, perItem);
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "task \"" + name + "\" takes " + bytes + " bytes of \"" + edge.name() + "\" per item: at least 1");
        }
        settings.takenBytes.merge(edge, bytes, (a, b) -> a + Math.min(b, Long.MAX_VALUE - a));
        return this;
    }

    /** Declares that the body releases buffers of {@code edge}. The declaration serves the check and drawings. */
    public FlowTask<A, B> releases(MemoryEdge<?> edge) {
        requireOpen();
        FlowSource.requireGiven(edge, "memory edge that task \"" + name + "\" releases into");
        settings.rate.releases(edge);
        return this;
    }

    /**
     * Declares that the body releases {@code perItem} buffers for each item, each of them once. The declaration also
     * serves the {@linkplain FlowGraph#prove proof} before the run.
     *
     * @throws IllegalArgumentException if {@code perItem} is not positive
     */
    public FlowTask<A, B> releases(MemoryEdge<?> edge, int perItem) {
        requireOpen();
        FlowSource.requireGiven(edge, "memory edge that task \"" + name + "\" releases into");
        settings.rate.releases(edge, perItem);
        return this;
    }

    /**
     * Declares the number of buffers that each incoming item carries, for the {@linkplain FlowGraph#prove proof} before
     * the run. It follows from the other rates, except where a task emits several items, which may carry all buffers
     * each, or a share each.
     *
     * @throws IllegalArgumentException if {@code buffers} is negative
     */
    public FlowTask<A, B> carries(MemoryEdge<?> edge, int buffers) {
        requireOpen();
        FlowSource.requireGiven(edge, "memory edge with buffers that items of task \"" + name + "\" carry");
        Rate.carries("task \"" + name + '"', settings.rate.carries, edge, buffers);
        return this;
    }

    /**
     * Declares the number of items that the body emits for each item, for the {@linkplain FlowGraph#prove proof} before
     * the run, and for edges with a {@linkplain #to(FlowGraph.Sink, int) bound}. Each edge that leaves the task gets as
     * many.
     *
     * @throws IllegalArgumentException if {@code items} is negative
     */
    public FlowTask<A, B> emits(int items) {
        return emits(items, items);
    }

    /**
     * Declares the least and the largest number of items that the body emits for each item.
     *
     * @throws IllegalArgumentException if {@code least} is negative, or larger than {@code most}
     */
    public FlowTask<A, B> emits(int least, int most) {
        requireOpen();
        settings.rate.emits(least, most);
        return this;
    }

    /**
     * States the work of the body without its data, for a {@linkplain FlowGraph#dryRun dry run}: {@code map} takes,
     * emits and releases as the body does. It must not use the values of buffers, nor submit tasks.
     */
    public FlowTask<A, B> dry(Body<? super A, B> map) {
        requireOpen();
        FlowSource.requireGiven(map, "dry map of task \"" + name + '"');
        settings.dry = map;
        return this;
    }

    /** States the items that the body emits for an item, for a dry run of a task that takes and releases no buffer. */
    public FlowTask<A, B> dry(Function<? super A, ? extends Collection<? extends B>> outputs) {
        FlowSource.requireGiven(outputs, "dry map of task \"" + name + '"');
        return dry((item, out) -> outputs.apply(item).forEach(out::emit));
    }

    /** States the time that an item takes in a dry run; without this, it takes none. */
    public FlowTask<A, B> costs(ToLongFunction<? super A> nanosOfItem) {
        requireOpen();
        FlowSource.requireGiven(nanosOfItem, "cost of task \"" + name + '"');
        settings.nanos = nanosOfItem;
        return this;
    }

    /** Declares that the body sends items to siblings along {@code edge}, with {@code Emitter.send}. */
    public FlowTask<A, B> sends(SiblingEdge<?> edge) {
        requireOpen();
        FlowSource.requireGiven(edge, "edge between siblings along which task \"" + name + "\" sends");
        edge.sentBy(name, parts());
        settings.sends.add(edge);
        return this;
    }

    /**
     * Drops an item that fails, and lets the run go on: when the body, a continuation or an engine task of the item
     * throws an exception, {@code handler} gets the item and the exception, and the item counts as dropped. An item
     * that fails leaves no effect in the graph: its results are passed on only once it is done, its engine tasks
     * included; the buffers that were taken for it are given back; a buffer that it brought in a handle, in a record,
     * array or collection too, is released once, if this task or a later one declares to release it.
     *
     * <p>Without a handler the run fails. It also fails, with both exceptions, when the handler throws, and when the
     * body throws an {@link Error}.
     */
    public FlowTask<A, B> onError(ErrorHandler<? super A, B> handler) {
        requireOpen();
        FlowSource.requireGiven(handler, "error handler of task \"" + name + '"');
        settings.onError = handler;
        return this;
    }

    /**
     * Ends a copy when {@code condition} holds. At least one task of each cycle needs a condition, or
     * {@link #endsCycle}.
     */
    public FlowTask<A, B> terminatedWhen(Termination condition) {
        requireOpen();
        FlowSource.requireGiven(condition, "condition that ends task \"" + name + '"');
        settings.termination = condition;
        return this;
    }

    /** Declares that the body's own {@link Body#canTerminate} ends the cycles that this task is on. */
    public FlowTask<A, B> endsCycle() {
        requireOpen();
        settings.traits.add(Trait.ENDS_CYCLE);
        return this;
    }

    /**
     * States the types for the check before the run, for bodies with a class that does not declare them, such as
     * lambdas. A primitive type stands for its objects.
     */
    public FlowTask<A, B> types(Class<?> input, Class<?> output) {
        requireOpen();
        settings.in = TypeFinder.boxed(input);
        settings.out = TypeFinder.boxed(output);
        return this;
    }

    /** Returns the name, which is unique in the graph. */
    public String name() {
        return name;
    }
}
