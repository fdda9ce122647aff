package dev.jacquard.flow.runtime;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The subscriber that sends the items of a publisher into a run. Its demand is room: each requested item has a slot at
 * the input before it comes, so that the publisher's thread never waits.
 *
 * <pre>
 *  slots of the input = items that wait + items that are requested + room
 *        room --request(n)--> requested --onNext--> waiting --a task takes it--> room ...
 * </pre>
 *
 * <p>While as many results as allowed wait to be read, nothing is requested. A run with an unbounded input requests all
 * items at once.
 *
 * <p>Threads: the publisher calls one method at a time. The subscription is called by the {@link #demanding action}
 * alone, on one thread at a time.
 */
final class Feeding implements Flow.Subscriber<Object>, Runnable {
    /** The name of the publisher in messages. */
    private static final String NAME = "publisher of the input";

    private final Input input;
    private final OutputQueue output;
    private final Run run;
    private final Sending sending;
    private final RunSignal signal;
    private final RunLife life;
    private final SerialAction demanding;
    /** Set once, by the publisher. */
    private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();
    /** Items that are requested, and not in the run. Increased before the request, decreased after the item is in. */
    private final AtomicLong requested = new AtomicLong();
    /**
     * True once no signal counts any more: the publisher is done, or its subscription is to be cancelled. Set by the
     * publisher or by the action.
     */
    private volatile boolean over;
    /** True once the subscription is of no use any more. Confined to the action. */
    private boolean released;

    Feeding(Run run, RunParts parts, Sending sending, RunSignal signal) {
        this.run = run;
        this.sending = sending;
        this.signal = signal;
        this.life = run.context().life();
        this.input = parts.input();
        this.output = parts.output();
        this.demanding = new SerialAction(run.context().workers()::background, this::demand);
    }

    /** Requests more items on another thread, if there is room; ends where the run stops or is over. */
    @Override
    public void run() {
        if (room() > 0 || life.stopping() || life.completed()) {
            demanding.ask();
        }
    }

    // ---- signals of the publisher

    @Override
    public void onSubscribe(Flow.Subscription given) {
        Objects.requireNonNull(given, "subscription");
        if (subscription.compareAndSet(null, given)) {
            demanding.ask();
        } else {
            given.cancel();
        }
    }

    @Override
    public void onNext(Object item) {
        Objects.requireNonNull(item, "item");
        if (over) {
            return; // a publisher may send on for a while after its subscription was cancelled
        }
        if (requested.get() <= 0) {
            over = true;
            life.failOutside(
                    NAME,
                    "onNext",
                    item,
                    new IllegalStateException("more items came than were requested: a publisher must not"
                            + " send an item that was not requested (rule 1.1 of Reactive Streams)"));
            demanding.ask();
            return;
        }
        if (!sending.sendRequested(item)) {
            demanding.ask();
            return;
        }
        requested.decrementAndGet(); // after the item is in: until then it has its slot
        if (room() > 0) {
            demanding.ask();
        }
    }

    @Override
    public void onError(Throwable problem) {
        Objects.requireNonNull(problem, "problem");
        signal.remove(this);
        if (!over) {
            over = true;
            life.failOutside(NAME, "onError", null, problem);
        }
    }

    @Override
    public void onComplete() {
        signal.remove(this);
        if (!over) {
            over = true;
            run.finish();
        }
    }

    // ---- demand

    /** Requests items for which there is room; cancels the subscription if the run takes no more. */
    private void demand() {
        Flow.Subscription source = subscription.get();
        if (source == null || released) {
            return;
        }
        try {
            if (over || life.stopping() || !input.isOpen()) {
                over = true;
                released = true;
                signal.remove(this);
                source.cancel();
                return;
            }
            long room = room();
            if (room > 0) {
                requested.addAndGet(room);
                source.request(room);
            }
        } catch (Throwable t) {
            over = true;
            life.failOutside(NAME, "request", null, t);
        }
    }

    /** Returns the number of items to request now; 0 while there are few, and others are on their way. */
    private long room() {
        long coming = requested.get();
        int bound = input.bound();
        if (bound == 0) {
            return coming == 0 ? Long.MAX_VALUE : 0;
        }
        long free = output.isFull() ? 0 : input.room() - coming;
        return coming == 0 || free >= Math.max(1, bound / 4) ? Math.max(0, free) : 0;
    }

    /** Returns true if no further item comes from the publisher. */
    boolean isOver() {
        return over;
    }

    /** Returns a line of text on the publisher; null if it is done. */
    @Nullable
    String describe() {
        if (over) {
            return null;
        }
        long coming = requested.get();
        return "  a publisher feeds the input: "
                + (subscription.get() == null
                        ? "it has not called onSubscribe yet"
                        : coming == 0
                                ? "nothing is requested, since there is no room"
                                : (coming > Long.MAX_VALUE / 2 ? "all its items are" : coming + " items are")
                                        + " requested, and it has sent none of them yet");
    }
}
