package dev.jacquard.flow.runtime;

import dev.jacquard.engine.Workers;

/**
 * The way of items from outside into a run: as they come, or as there is room for them.
 *
 * <p>Threads: any.
 */
final class Sending {
    private final Input input;
    private final RunLife life;
    private final Workers workers;

    Sending(Input input, RunLife life, Workers workers) {
        this.input = input;
        this.life = life;
        this.workers = workers;
    }

    /** See {@code FlowRun.send}. */
    void send(Object item) {
        awaitRoom(); // through sendAll an item alone took a quarter more time
        send(new Object[] {item}, 1);
    }

    /** See {@code FlowRun.sendAll}. */
    void sendAll(Object[] items) {
        if (input.isBounded()) {
            sendAsRoomComes(items);
        } else if (items.length > 0) {
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

    private void sendAsRoomComes(Object[] items) {
        for (int at = 0; at < items.length; ) {
            awaitRoom();
            life.requireNotStopped();
            try {
                WakeList wakes = new WakeList();
                at += input.sendSome(items, at, wakes);
                life.settle(wakes);
            } catch (Error e) {
                life.broken.by = e;
                life.endBroken();
                throw e;
            }
        }
    }

    /** Waits until the input has room, or the run stops. */
    private void awaitRoom() {
        if (input.room() <= 0) {
            life.await(() -> input.room() > 0 || life.stopping());
        }
    }
}
