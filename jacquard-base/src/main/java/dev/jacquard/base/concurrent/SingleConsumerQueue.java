package dev.jacquard.base.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * An unbounded queue with one consumer, which sleeps while there is nothing.
 *
 * <p>A call for which the stack has no room adds the element or does not, and leaves the queue as good as before.
 * {@code java.util.concurrent.LinkedBlockingQueue} may stay locked then, for good: its lock may be acquired when the
 * call of {@code lock} throws.
 *
 * <p>Threads: any adds and asks, one takes.
 *
 * @param <T> the type of the elements
 */
public final class SingleConsumerQueue<T> {
    /** An element, and the one added after it. */
    private static final class Link<T> {
        private final T element;
        /** Guarded by the queue. */
        private @Nullable Link<T> next;

        Link(T element) {
            this.element = element;
        }
    }

    /** The eldest element; null for none. Guarded by this. */
    private @Nullable Link<T> first;
    /** The newest element; of no meaning while there is none. Guarded by this. */
    private @Nullable Link<T> last;
    /** True while the consumer sleeps. Guarded by this. */
    private boolean sleeps;
    /** The number of elements. Written under the monitor; read without it, by who wants to know about how many. */
    private volatile int size;

    /** A queue without elements. */
    public SingleConsumerQueue() {}

    /** Adds an element. */
    public void add(T element) {
        Link<T> link = new Link<>(element); // before the lock, from which on there are no calls but the last one
        synchronized (this) {
            if (first == null || last == null) {
                first = link;
            } else {
                last.next = link;
            }
            last = link;
            size++;
            if (sleeps) {
                notifyAll();
            }
        }
    }

    /** Removes and returns the eldest element; sleeps, also when interrupted, until there is one. By the consumer. */
    public synchronized T take() {
        sleeps = true;
        Threads.await(this, () -> first != null);
        sleeps = false;
        Link<T> eldest = first;
        if (eldest == null) {
            throw new AssertionError("the wait ended without an element");
        }
        first = eldest.next;
        size--;
        return eldest.element;
    }

    /** Returns the number of elements: an estimate, without a lock. */
    public int size() {
        return size;
    }

    /** Returns true if there is no element, and the consumer waits for one. */
    public synchronized boolean isIdle() {
        return sleeps && first == null;
    }
}
