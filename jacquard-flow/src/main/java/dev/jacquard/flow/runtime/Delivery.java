package dev.jacquard.flow.runtime;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The publisher of a run's results, and the subscription of its only subscriber: delivers results as far as the
 * subscriber has requested some. Results that are not requested stay in the {@link OutputQueue}, whose bound holds back
 * the senders.
 *
 * <pre>
 *  request(n), results, the end of the run --ask--> action: onNext while there is demand --> onComplete or onError
 * </pre>
 *
 * <p>Threads: any thread subscribes, requests and cancels. Signals come from the {@link #delivering action} alone, on
 * one thread at a time; the first, {@code onSubscribe}, from the thread that subscribes, before the action may begin.
 */
final class Delivery implements Flow.Publisher<Object>, Flow.Subscription, Runnable {
    /** The name of the subscriber in messages. */
    private static final String NAME = "subscriber of the results";

    private static final int MOST = 64;

    private final OutputQueue output;
    private final Run run;
    private final RunLife life;
    private final RunSignal signal;
    private final SerialAction delivering;
    /** True once a subscriber came. */
    private final AtomicBoolean taken = new AtomicBoolean();
    /** Results that are requested and not delivered; {@link Long#MAX_VALUE} for all. */
    private final AtomicLong demand = new AtomicLong();
    /**
     * The subscriber. Written by the thread that subscribes once {@code onSubscribe} has returned, then set to null by
     * the action once no signal may follow.
     */
    private volatile Flow.@Nullable Subscriber<? super Object> subscriber;
    /** The first wrong number that was requested; 1 for none. Set by any thread. */
    private volatile long wrong = 1;
    /** Set by any thread. */
    private volatile boolean cancelled;
    /** Confined to the action. */
    private final @Nullable Object[] batch = new @Nullable Object[MOST];

    Delivery(Run run, RunParts parts, RunSignal signal) {
        this.run = run;
        this.signal = signal;
        this.life = run.context().life();
        this.output = parts.output();
        this.delivering = new SerialAction(run.context().workers()::background, this::deliver);
    }

    // ---- for the subscriber

    @Override
    public void subscribe(Flow.Subscriber<? super Object> given) {
        Objects.requireNonNull(given, "subscriber");
        if (!taken.compareAndSet(false, true)) {
            refuse(given);
            return;
        }
        try {
            given.onSubscribe(this);
        } catch (Throwable t) {
            life.failOutside(NAME, "onSubscribe", null, t);
            return;
        }
        subscriber = given;
        signal.add(this);
        delivering.ask();
    }

    private void refuse(Flow.Subscriber<? super Object> given) {
        given.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {}

            @Override
            public void cancel() {}
        });
        given.onError(new IllegalStateException("the results of flow \""
                + run.context().plan().graph() + "\" have a subscriber already: each result is delivered once; for"
                + " several subscribers put a processor between, such as a SubmissionPublisher"));
    }

    @Override
    public void request(long count) {
        if (count > 0) {
            demand.accumulateAndGet(count, (before, more) -> before + more < 0 ? Long.MAX_VALUE : before + more);
        } else if (wrong > 0) {
            wrong = count;
        }
        delivering.ask();
    }

    @Override
    public void cancel() {
        cancelled = true;
        delivering.ask();
    }

    // ---- delivery

    /** Delivers on another thread, if results are requested; also where the run stops or is over. */
    @Override
    public void run() {
        if (demand.get() > 0 || life.stopping() || life.completed()) {
            delivering.ask();
        }
    }

    private void deliver() {
        Flow.Subscriber<? super Object> to = subscriber;
        if (to == null) {
            return;
        }
        boolean completed = life.completed(); // before the results: none comes after it
        while (isOpen() && !life.stopping() && deliverSome(to)) {}
        if (cancelled) {
            over();
            run.cancel();
        } else if (wrong <= 0) {
            refuseRequest(to);
        } else if (subscriber != null && completed && (life.stopping() || output.waiting() == 0)) {
            end(to);
        }
    }

    /** Returns true if the subscriber takes further results. */
    private boolean isOpen() {
        return subscriber != null && !cancelled && wrong > 0;
    }

    /** Delivers some results; returns false if there is none, or no demand. */
    private boolean deliverSome(Flow.Subscriber<? super Object> to) {
        int count = output.fetch(batch, (int) Math.min(demand.get(), MOST));
        for (int i = 0; i < count; i++) {
            Object result = Objects.requireNonNull(batch[i]);
            batch[i] = null;
            if (isOpen()) {
                output.handedOut();
                demand.updateAndGet(before -> before == Long.MAX_VALUE ? before : before - 1);
                deliver(to, result);
            }
        }
        return count > 0;
    }

    private void deliver(Flow.Subscriber<? super Object> to, Object result) {
        try {
            to.onNext(result);
        } catch (Throwable t) {
            over();
            life.failOutside(NAME, "onNext", result, t);
        }
    }

    /** Records that no signal may follow. */
    private void over() {
        subscriber = null;
        signal.remove(this);
    }

    private void refuseRequest(Flow.Subscriber<? super Object> to) {
        over();
        IllegalArgumentException refusal = new IllegalArgumentException(
                "request(" + wrong + "): a subscriber must request at least 1 result (rule 3.9 of Reactive Streams)");
        life.failOutside(NAME, "request", null, refusal);
        to.onError(refusal);
    }

    private void end(Flow.Subscriber<? super Object> to) {
        over();
        try {
            life.requireNotStopped();
        } catch (RuntimeException e) {
            to.onError(e);
            return;
        }
        to.onComplete();
    }

    /** Returns a line of text on the subscriber; null if it holds nothing up. */
    @Nullable
    String describe() {
        return !isIdle()
                ? null
                : "  a subscriber has requested none of the " + output.waiting() + " results that wait for it: "
                        + "it must call request(n)";
    }

    /** Returns true if results wait for a subscriber that requests none. */
    boolean isIdle() {
        return subscriber != null && demand.get() == 0 && output.waiting() > 0;
    }
}
