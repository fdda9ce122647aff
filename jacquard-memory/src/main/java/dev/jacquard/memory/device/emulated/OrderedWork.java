package dev.jacquard.memory.device.emulated;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.text.UserText;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The orders that a stream was given and has not done yet, and the thread that does them. Threads: any.
 *
 * <p>Lock: {@link #lock}; nothing but the monitors of events is taken under it, and no order runs under it.
 */
final class OrderedWork {
    /** The number of orders behind which the next caller waits, so that no stream grows without bound. */
    private static final int MOST = 1024;

    /** Something to be done. */
    interface Body {
        /** Does it. */
        void run() throws Exception;
    }

    /**
     * Something that the stream was told.
     *
     * @param what for messages
     * @param mark ends behind it; null for none
     */
    record Order(String what, Body body, @Nullable EmulatedEvent mark) {}

    private final String stream;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by lock. */
    private final Queue<Order> orders = new ArrayDeque<>();
    /** Guarded by lock. */
    private boolean started;
    /** Guarded by lock. */
    private boolean closed;
    /**
     * The reason why nothing is done any more. Guarded by lock; set by the thread, and by the one that loses the
     * device.
     */
    private @Nullable DeviceException failure;
    /**
     * Guarded by lock: set when the device is lost. A failure may be of that type too, when code had to do with another
     * device.
     */
    private @Nullable DeviceLostException lost;

    /** The thread starts with the first order. */
    OrderedWork(String device, String name) {
        this.stream = device + ", stream \"" + name + '"';
        this.thread = Thread.ofPlatform()
                .name(device + "/" + name)
                .daemon() // a program that forgets a device ends all the same
                .unstarted(this::work);
    }

    /** Returns the thread that does the orders. */
    Thread thread() {
        return thread;
    }

    /**
     * Adds an order; waits while there are too many.
     *
     * @throws DeviceLostException when the device is lost
     * @throws IllegalStateException when the stream is closed
     */
    void add(Order order) {
        lock.lock();
        try {
            while (orders.size() >= MOST && !closed) {
                changed.awaitUninterruptibly();
            }
            if (lost != null) {
                throw EmulatedEvent.again(lost);
            }
            if (closed) {
                throw new IllegalStateException(stream + " is closed");
            }
            orders.add(order);
            if (!started) {
                started = true;
                thread.start();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void work() {
        for (Order order = next(); order != null; order = next()) {
            DeviceException why = failure();
            if (why == null) {
                why = attempt(order);
            }
            if (order.mark != null) {
                order.mark.end(why);
            }
        }
    }

    /** Waits for an order; null when there will be none. */
    private @Nullable Order next() {
        lock.lock();
        try {
            while (orders.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            changed.signalAll(); // one place more
            return orders.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns why nothing is done any more, or null. */
    @Nullable
    DeviceException failure() {
        lock.lock();
        try {
            return failure;
        } finally {
            lock.unlock();
        }
    }

    /** Does it. Returns why that failed; null when it did not. */
    private @Nullable DeviceException attempt(Order order) {
        try {
            order.body.run();
            return null;
        } catch (DeviceLostException e) {
            return fail(e);
        } catch (Throwable t) { // whatever it is, the thread that waits for an event gets it
            return fail(new DeviceException(order.what + " failed on " + stream + ": " + reason(t), t));
        } finally {
            Thread.interrupted(); // what code did to this thread ends with it
        }
    }

    private static String reason(Throwable t) {
        try {
            String why = t instanceof DeviceException ? String.valueOf(t.getMessage()) : t.toString();
            return t.getCause() == null ? why : why + ": " + t.getCause().getMessage();
        } catch (RuntimeException | Error e) { // code of the user's, too
            return UserText.of(t);
        }
    }

    /** Keeps the first reason. */
    private DeviceException fail(DeviceException why) {
        lock.lock();
        try {
            if (failure == null) {
                failure = why;
            }
            return failure;
        } finally {
            lock.unlock();
        }
    }

    /** Drops what was not begun, and ends all its events. */
    void lose(DeviceLostException why) {
        List<Order> dropped;
        lock.lock();
        try {
            failure = why;
            lost = why;
            dropped = new ArrayList<>(orders);
            orders.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        for (Order order : dropped) {
            if (order.mark != null) {
                order.mark.end(why);
            }
        }
    }

    /** Waits, also when interrupted, until everything is done. A second call does nothing. */
    void close() {
        boolean wait;
        lock.lock();
        try {
            closed = true;
            wait = started;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (wait) {
            Threads.join(thread);
        }
    }
}
