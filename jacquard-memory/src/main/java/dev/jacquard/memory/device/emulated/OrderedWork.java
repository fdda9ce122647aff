package dev.jacquard.memory.device.emulated;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.text.UserText;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.KernelFailedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The orders that a stream was given and has not done yet, and the thread that does them. Threads: any.
 *
 * <p>Lock: {@link #lock}; nothing but the monitors of events is taken under it, and no order runs under it.
 */
final class OrderedWork {
    /** The number of queued orders from which on the next caller waits, so that no stream grows without bound. */
    private static final int MOST = 1024;

    /** Something to be done. */
    interface Body {
        /** Does it. */
        void run() throws Exception;
    }

    /**
     * An order to the stream.
     *
     * @param what for messages
     * @param mark ends after it; null for none
     */
    record Order(String what, Body body, @Nullable EmulatedEvent mark) {}

    private final String stream;
    private final Thread thread;
    /** A monitor: a {@code ReentrantLock} that is acquired with a full stack may throw, and is never given back. */
    private final Object lock = new Object();
    /** Guarded by lock. */
    private final Queue<Order> orders = new ArrayDeque<>();
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
        synchronized (lock) {
            Threads.await(lock, () -> orders.size() < MOST || closed);
            if (lost != null) {
                throw EmulatedEvent.again(lost);
            }
            if (closed) {
                throw new IllegalStateException(stream + " is closed");
            }
            if (thread.getState() == Thread.State.NEW) {
                thread.start(); // asked for each time: a caller may have no stack left for it
            }
            orders.add(order);
            lock.notifyAll();
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
        synchronized (lock) {
            Threads.await(lock, () -> !orders.isEmpty() || closed);
            lock.notifyAll(); // one place more
            return orders.poll();
        }
    }

    /** Returns why nothing is done any more, or null. */
    @Nullable
    DeviceException failure() {
        synchronized (lock) {
            return failure;
        }
    }

    /** Does it. Returns why that failed; null when it did not. */
    private @Nullable DeviceException attempt(Order order) {
        try {
            order.body.run();
            return null;
        } catch (DeviceLostException e) {
            return fail(e);
        } catch (KernelFailedException e) {
            return fail(new KernelFailedException(failed(order) + e.getMessage(), e.thrown()));
        } catch (Throwable t) { // whatever it is, the thread that waits for an event gets it
            return fail(new DeviceException(failed(order) + reason(t), t));
        } finally {
            Thread.interrupted(); // changes that code made to this thread end with it
        }
    }

    private String failed(Order order) {
        return order.what + " failed on " + stream + ": ";
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
        synchronized (lock) {
            if (failure == null) {
                failure = why;
            }
            return failure;
        }
    }

    /** Drops orders that were not begun, and ends all their events. */
    void lose(DeviceLostException why) {
        List<Order> dropped;
        synchronized (lock) {
            failure = why;
            lost = why;
            dropped = new ArrayList<>(orders);
            orders.clear();
            lock.notifyAll();
        }
        for (Order order : dropped) {
            if (order.mark != null) {
                order.mark.end(why);
            }
        }
    }

    /** Waits, also when interrupted, until everything is done. A second call does nothing. */
    void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        Threads.join(thread); // at once if it never started
    }
}
