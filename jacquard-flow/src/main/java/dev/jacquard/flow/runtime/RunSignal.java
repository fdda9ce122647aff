package dev.jacquard.flow.runtime;

import dev.jacquard.engine.work.Dispatcher;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Notifies of changes at the ends of a run: there is room at the input, there are results, room for results, or the run
 * stops or is over. Threads that wait ask again, and the reactive ends of the run look again.
 *
 * <p>Nothing is missed: {@link #send} passes a full fence after the change, and an end that is added looks after that.
 *
 * <p>Threads: any. Called under locks too, so an end only hands its work to another thread.
 */
final class RunSignal {
    private final Dispatcher workers;
    private final CopyOnWriteArrayList<Runnable> ends = new CopyOnWriteArrayList<>();

    RunSignal(Dispatcher workers) {
        this.workers = workers;
    }

    /** Adds an end, which is run at each change from now on. It only decides if it hands work to another thread. */
    void add(Runnable end) {
        ends.add(end);
    }

    /** Removes an end. */
    void remove(Runnable end) {
        ends.remove(end);
    }

    /** Notifies of a change. Cheap while nothing waits and there is no end. */
    void send() {
        workers.signal();
        if (!ends.isEmpty()) {
            ends.forEach(Runnable::run);
        }
    }
}
