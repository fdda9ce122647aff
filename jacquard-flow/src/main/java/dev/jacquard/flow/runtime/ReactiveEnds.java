package dev.jacquard.flow.runtime;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The ends of a run for {@code java.util.concurrent.Flow}: a publisher that feeds the input, and a subscriber that gets
 * the results. No thread waits: both look again when the {@link RunSignal} says that something has changed, on
 * background threads.
 *
 * <p>Threads: any.
 */
public final class ReactiveEnds {
    private final Run run;
    private final RunParts parts;
    private final Sending sending;
    private final RunSignal signal;
    private final AtomicReference<Feeding> feeding = new AtomicReference<>();
    private final Delivery delivery;

    ReactiveEnds(Run run, RunParts parts, Sending sending, RunSignal signal) {
        this.run = run;
        this.sending = sending;
        this.parts = parts;
        this.signal = signal;
        this.delivery = new Delivery(run, parts, signal);
    }

    /** See {@code FlowRun.feed}. */
    public void feed(Flow.Publisher<?> publisher) {
        Objects.requireNonNull(publisher, "publisher");
        if (!parts.input().isOpen()) {
            throw new IllegalStateException("a publisher is to feed flow \"" + name()
                    + "\", and no item can come in: connect the graph's input, and feed before finish()");
        }
        Feeding created = new Feeding(run, parts, sending, signal);
        if (!feeding.compareAndSet(null, created)) {
            throw new IllegalStateException(
                    "flow \"" + name() + "\" is fed by a publisher already, which ends its input:"
                            + " merge the two publishers, or send the items of one of them");
        }
        signal.add(created);
        publisher.subscribe(created);
    }

    /** See {@code FlowRun.feed}. */
    public void feed(Iterable<?> items) {
        Objects.requireNonNull(items, "items");
        feed(new ItemPublisher(
                items, () -> run.context().life().stopping() || !parts.input().isOpen()));
    }

    private String name() {
        return run.context().plan().graph();
    }

    /** See {@code FlowRun.publisher}. */
    public Flow.Publisher<Object> publisher() {
        return delivery;
    }

    /** Returns true if a publisher feeds the run, and may send further items. */
    boolean isFed() {
        Feeding source = feeding.get();
        return source != null && !source.isOver();
    }

    /** Returns true if results wait for a subscriber that requests none. */
    boolean waitsForSubscriber() {
        return delivery.isIdle();
    }

    /** Adds a line of text for each end that others may wait for. */
    void describe(List<String> lines) {
        Feeding source = feeding.get();
        String line = source == null ? null : source.describe();
        if (line != null) {
            lines.add(line);
        }
        String idle = delivery.describe();
        if (idle != null) {
            lines.add(idle);
        }
    }
}
