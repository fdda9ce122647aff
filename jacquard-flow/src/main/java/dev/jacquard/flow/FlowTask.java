package dev.jacquard.flow;

import dev.jacquard.base.machine.Target;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Termination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A task of a graph: copies of a body that serve one input queue.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 *
 * @param <A> items that come in
 * @param <B> items that go out
 */
public final class FlowTask<A, B> extends Source<B> implements Sink<A> {
    private final String name;
    private final int copies;
    private final Supplier<? extends Body<A, B>> bodies;
    private final boolean start;
    private final Map<MemoryEdge<?>, Integer> takes = new LinkedHashMap<>();
    private final Set<MemoryEdge<?>> releases = new LinkedHashSet<>();
    private final List<Target> devices = new ArrayList<>();
    private int inFlight = 32;
    private boolean dedicated;
    private boolean oneByOne;
    private long pollNanos;
    private @Nullable Comparator<? super A> order;
    private @Nullable Termination termination;
    private boolean endsCycle;
    private @Nullable Class<?> in;
    private @Nullable Class<?> out;

    FlowTask(FlowBuilder<?, ?> builder, String name, int copies, Supplier<? extends Body<A, B>> bodies, boolean start) {
        super(builder);
        this.name = name;
        this.copies = copies;
        this.bodies = bodies;
        this.start = start;
    }

    /** Gives each copy a thread of its own: for bodies that block. */
    public FlowTask<A, B> dedicated() {
        builder().checkOpen();
        dedicated = true;
        return this;
    }

    /**
     * Lets each copy take one item at a time, however cheap they are: for tasks of cheap items among which a few take
     * long. Else a copy takes up to 256 cheap items at once, and those behind one that takes long wait for it, though
     * other copies have nothing to do.
     */
    public FlowTask<A, B> oneByOne() {
        builder().checkOpen();
        oneByOne = true;
        return this;
    }

    /**
     * Calls the body's idle phase when no item came for so long, and asks whether it is done.
     *
     * @throws IllegalArgumentException when {@code timeout} is not positive
     */
    public FlowTask<A, B> poll(Duration timeout) {
        builder().checkOpen();
        Source.requireGiven(timeout, "time after which task \"" + name + "\" polls");
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException(
                    "task \"" + name + "\" polls every " + timeout + ": it must be positive");
        }
        pollNanos = timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? timeout.toNanos() : Long.MAX_VALUE;
        return this;
    }

    /**
     * Serves the least waiting item first, by {@code by}, instead of the oldest. It is called under a lock: no waiting.
     * Where items take from memory edges before this task, here and after it, the eldest that came from outside is
     * first, as it may hold what others wait for; {@code by} decides among what one such item led to.
     */
    public FlowTask<A, B> priority(Comparator<? super A> by) {
        builder().checkOpen();
        Source.requireGiven(by, "order of task \"" + name + '"');
        order = by;
        return this;
    }

    /**
     * Binds the copies to devices: the first copy to the first, and so on, round robin. A copy learns of its device in
     * {@link Body#initialize}, and the kernels that its body submits ({@link dev.jacquard.flow.task.Emitter#graph}) run
     * there.
     *
     * @param wanted names of devices, or kinds, which stand for all devices of that kind that the session has
     * @throws IllegalArgumentException when there is none
     */
    public FlowTask<A, B> on(Target... wanted) {
        builder().checkOpen();
        if (wanted.length == 0) {
            throw new IllegalArgumentException("task \"" + name + "\" is bound to no device: name at least one");
        }
        devices.addAll(List.of(wanted));
        return this;
    }

    /**
     * How many items each copy may have whose engine tasks are not over; then it takes no more. 32 unless it says
     * otherwise.
     *
     * @throws IllegalArgumentException when {@code items} is not positive
     */
    public FlowTask<A, B> inFlight(int items) {
        builder().checkOpen();
        if (items < 1) {
            throw new IllegalArgumentException("task \"" + name + "\" has " + items + " items in flight: at least 1");
        }
        inFlight = items;
        return this;
    }

    /** {@link #takes(MemoryEdge, int)} of one buffer per item. */
    public FlowTask<A, B> takes(MemoryEdge<?> edge) {
        return takes(edge, 1);
    }

    /**
     * Declares that the body takes up to {@code perItem} buffers for each item: it is run when it has them, and gives
     * back what it did not take.
     *
     * @throws IllegalArgumentException when {@code perItem} is not positive
     */
    public FlowTask<A, B> takes(MemoryEdge<?> edge, int perItem) {
        builder().checkOpen();
        Source.requireGiven(edge, "memory edge that task \"" + name + "\" takes from");
        if (perItem < 1) {
            throw new IllegalArgumentException("task \"" + name + "\" takes " + perItem + " buffers of \"" + edge.name()
                    + "\" per item: at least 1");
        }
        takes.merge(edge, perItem, (a, b) -> (int) Math.min(Integer.MAX_VALUE, (long) a + b));
        return this;
    }

    /** Declares that the body releases buffers of {@code edge}: for the check and for drawings. */
    public FlowTask<A, B> releases(MemoryEdge<?> edge) {
        builder().checkOpen();
        Source.requireGiven(edge, "memory edge that task \"" + name + "\" releases into");
        releases.add(edge);
        return this;
    }

    /** Ends a copy when {@code condition} holds, which a task on each cycle needs. */
    public FlowTask<A, B> terminatedWhen(Termination condition) {
        builder().checkOpen();
        Source.requireGiven(condition, "condition that ends task \"" + name + '"');
        termination = condition;
        return this;
    }

    /** Declares that the body's own {@link Body#canTerminate} ends the cycles that this task is on. */
    public FlowTask<A, B> endsCycle() {
        builder().checkOpen();
        endsCycle = true;
        return this;
    }

    /**
     * States the types for the check before the run, where they cannot be read from the body's class: a lambda's, say.
     */
    public FlowTask<A, B> types(Class<?> input, Class<?> output) {
        builder().checkOpen();
        in = input;
        out = output;
        return this;
    }

    /** Its name, unique in the graph. */
    public String name() {
        return name;
    }

    int copies() {
        return copies;
    }

    Supplier<? extends Body<A, B>> bodies() {
        return bodies;
    }

    boolean isStart() {
        return start;
    }

    List<Target> devices() {
        return devices;
    }

    int inFlight() {
        return inFlight;
    }

    boolean isDedicated() {
        return dedicated;
    }

    boolean isOneByOne() {
        return oneByOne;
    }

    long pollNanos() {
        return pollNanos;
    }

    @Nullable
    Comparator<? super A> order() {
        return order;
    }

    @Nullable
    Termination termination() {
        return termination;
    }

    boolean hasTermination() {
        return termination != null || endsCycle;
    }

    boolean isEndingCycle() {
        return endsCycle;
    }

    Map<MemoryEdge<?>, Integer> takes() {
        return takes;
    }

    Set<MemoryEdge<?>> releases() {
        return releases;
    }

    @Nullable
    Class<?> in() {
        return in;
    }

    @Nullable
    Class<?> out() {
        return out;
    }
}
