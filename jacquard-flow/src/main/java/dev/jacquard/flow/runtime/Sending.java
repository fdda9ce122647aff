package dev.jacquard.flow.runtime;

import dev.jacquard.base.text.UserText;
import dev.jacquard.engine.Workers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The way of items from outside into a run. A sender waits while there is no room: at a stage after the input, or for
 * results, which only a user's thread takes away.
 *
 * <p>Threads: any.
 */
final class Sending {
    private final Input input;
    private final OutputQueue output;
    private final RunLife life;
    private final Workers workers;
    /** The threads that wait for room. */
    private final AtomicInteger waiting = new AtomicInteger();

    Sending(RunParts parts, RunLife life, Workers workers) {
        this.input = parts.input();
        this.output = parts.output();
        this.life = life;
        this.workers = workers;
    }

    /** See {@code FlowRun.send}. */
    void send(Object item) {
        awaitRoom(item); // through sendAll an item alone took a quarter more time
        send(new Object[] {item}, 1);
    }

    /** See {@code FlowRun.sendAll}. */
    void sendAll(Object[] items) {
        if (input.bound() > 0) {
            sendAsRoomComes(items);
        } else if (items.length > 0) {
            awaitRoom(items[0]);
            send(items, items.length);
        }
    }

    private void send(Object[] items, int count) {
        life.requireNotStopped();
        try {
            WakeList.fire(input.send(items, count), null, workers);
            life.settle();
        } catch (Error e) {
            life.broken.by = e;
            life.endBroken();
            throw e;
        }
    }

    /** Sends an item that has its slot already. Never waits. Returns false if the run takes no more items. */
    boolean sendRequested(Object item) {
        if (life.stopping()) {
            return false;
        }
        try {
            WakeList.fire(input.send(new Object[] {item}, 1), null, workers);
            life.settle();
            return true;
        } catch (IllegalStateException e) {
            if (input.isOpen()) {
                throw e;
            }
            return false; // finish() was called
        } catch (Error e) {
            life.broken.by = e;
            life.endBroken();
            throw e;
        }
    }

    private void sendAsRoomComes(Object[] items) {
        for (int at = 0; at < items.length; ) {
            awaitRoom(items[at]);
            life.requireNotStopped();
            try {
                WakeList wakes = new WakeList();
                at += input.sendSome(items, at, wakes);
                life.settle(wakes);
            } catch (RuntimeException e) {
                workers.signal(); // the room that was reserved is there again for other senders
                throw e;
            } catch (Error e) {
                life.broken.by = e;
                life.endBroken();
                throw e;
            }
        }
    }

    /** Waits until there is room for {@code item}, or the run stops. */
    private void awaitRoom(Object item) {
        if (hasRoom()) {
            return;
        }
        if (workers.isInsideNode()) {
            throw new IllegalStateException(
                    "item " + UserText.of(item) + " was sent inside a task, which must not wait "
                            + "for others, and there is no room: " + need()
                            + "; send from another thread, or start the run with FlowRun.Options.unbounded()");
        }
        waiting.incrementAndGet();
        try {
            life.await(() -> hasRoom() || life.stopping());
        } finally {
            waiting.decrementAndGet();
        }
    }

    private boolean hasRoom() {
        return input.room() > 0 && !output.isFull();
    }

    /** Returns true if a thread waits until results are read. */
    boolean waitsForReader() {
        return waiting.get() > 0 && output.isFull();
    }

    /** Adds a line of text if threads wait for room. */
    void describe(List<String> lines) {
        if (waiting.get() > 0) {
            lines.add("  a thread waits in send: " + need());
        }
    }

    private String need() {
        return output.isFull()
                ? output.waiting() + " results wait to be read, and the bound is " + output.bound()
                        + ": read them in another thread than the one that sends, or start the run with a larger "
                        + "bound, FlowRun.Options.withResultBound"
                : input.bound() - input.room() + " items wait at the input, and the bound is " + input.bound();
    }
}
