package dev.jacquard.engine;

import dev.jacquard.engine.work.Dispatcher.Timer;
import java.util.Objects;

/** The services for fronts that no worker renders: timers, and threads outside of the workers. Threads: any. */
abstract class BackgroundFront implements Workers {
    private final WorkerPool pool;

    BackgroundFront(WorkerPool pool) {
        this.pool = pool;
    }

    @Override
    public final Thread dedicated(String name, Runnable body) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(body, "body");
        return EngineThreads.dedicated(name, body);
    }

    @Override
    public final Timer schedule(long nanosFromNow, Runnable action) {
        Objects.requireNonNull(action, "action");
        return pool.timers.scheduleBeside(nanosFromNow, action);
    }

    @Override
    public final Timer scheduleOnTimer(long nanosFromNow, Runnable action) {
        Objects.requireNonNull(action, "action");
        return pool.timers.schedule(nanosFromNow, action);
    }

    @Override
    public final void runUserCode(Runnable action) {
        pool.timers.runUserCode(Objects.requireNonNull(action, "action"));
    }

    @Override
    public final void background(Runnable action) {
        pool.background.execute(Objects.requireNonNull(action, "action"));
    }

    @Override
    public final void virtualThread(Runnable action) {
        EngineThreads.virtual(Objects.requireNonNull(action, "action"));
    }
}
