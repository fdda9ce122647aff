package dev.jacquard.flow.runtime;

import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Publishes the items of an iterable to one subscriber, on the thread that requests them.
 *
 * <p>Threads: any may request; the iterator is called by one of them at a time.
 */
final class ItemPublisher implements Flow.Publisher<Object>, Flow.Subscription {
    private final Iterable<?> items;
    /** Returns true once the subscriber takes no more items. */
    private final BooleanSupplier isOver;
    /** Items that are requested and not sent. The thread that raises it from 0 sends until it is 0 again. */
    private final AtomicLong demand = new AtomicLong();
    /** Written by any thread. */
    private volatile boolean cancelled;

    /** Written once, before the subscriber has the subscription; as is the next. */
    @SuppressWarnings("NullAway.Init")
    private Flow.Subscriber<? super Object> subscriber;

    @SuppressWarnings("NullAway.Init")
    private Iterator<?> iterator;

    ItemPublisher(Iterable<?> items, BooleanSupplier isOver) {
        this.items = items;
        this.isOver = isOver;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super Object> given) {
        subscriber = given;
        try {
            iterator = Objects.requireNonNull(items.iterator(), "the iterator of the items");
        } catch (Throwable t) { // requests that come nevertheless send nothing
            cancelled = true;
            given.onSubscribe(this);
            given.onError(t);
            return;
        }
        given.onSubscribe(this);
    }

    @Override
    public void request(long count) {
        long before = demand.getAndUpdate(asked -> asked + count < 0 ? Long.MAX_VALUE : asked + count);
        if (before > 0) {
            return; // by a thread that sends now
        }
        long asked = demand.get();
        while (asked > 0 && send(asked)) {
            asked = demand.addAndGet(-asked);
        }
    }

    /** Sends that many items; returns false if no more are to be sent. */
    private boolean send(long count) {
        for (long i = 0; i < count; i++) {
            if (cancelled || isOver.getAsBoolean()) {
                return false;
            }
            Object item;
            try {
                if (!iterator.hasNext()) {
                    cancelled = true;
                    subscriber.onComplete();
                    return false;
                }
                item = iterator.next();
                if (item == null) {
                    throw new NullPointerException("the items to send have a null: an item must be an object");
                }
            } catch (Throwable t) {
                cancelled = true;
                subscriber.onError(t);
                return false;
            }
            subscriber.onNext(item);
        }
        return true;
    }

    @Override
    public void cancel() {
        cancelled = true;
    }
}
