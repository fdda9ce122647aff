package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Threads;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads that an engine makes: one for each worker that has no thread of the user's, that of the timers, the
 * fronts' threads, and background threads.
 */
final class EngineThreads {
    private static final System.Logger LOG = System.getLogger("dev.jacquard.engine.Engine");

    private final WorkerPool pool;
    /** The threads of workers. Written by the thread that starts the engine, before any other has the engine. */
    private final List<Thread> started = new ArrayList<>();

    EngineThreads(WorkerPool pool) {
        this.pool = pool;
    }

    /** Starts the threads of the host's workers but the first, and of the targets' workers. */
    void start() {
        for (Worker worker : pool.crew.all()) {
            if (!worker.isLent()) {
                Thread thread = Thread.ofPlatform()
                        .daemon()
                        .name(pool.crew.threadName(worker))
                        .unstarted(() -> loop(worker));
                worker.bind(thread);
                started.add(thread);
            }
        }
        Binding.apart(() -> {
            started.forEach(Thread::start);
            pool.timers.start();
        });
    }

    private void loop(Worker worker) {
        Thread current = Thread.currentThread();
        Ending ending = pool.ending;
        try {
            if (worker.role() == WorkerState.Role.HOST) {
                pool.binding.bind(worker.index()); // for the thread's life
            }
            while (!ending.isClosed()) {
                Step step = worker.step();
                Worker.forgetInterrupt(current);
                if (step == Step.LOOK_AGAIN) {
                    Thread.onSpinWait();
                } else if (step == Step.SLEEP) {
                    while (worker.isSleeping()) {
                        LockSupport.park(this);
                        Thread.interrupted(); // one that came late: while it is set, no thread can park
                    }
                }
            }
        } catch (Throwable e) {
            ending.fail(e);
        }
    }

    /**
     * Waits until the threads have ended, but for the calling one, and background threads that still run users' code:
     * these end with it.
     */
    void join() {
        Thread timer = pool.timers.close();
        joinWorkers();
        if (timer != null && timer != Thread.currentThread()) {
            Threads.join(timer);
        }
        pool.background.close();
    }

    /** Waits until the threads of workers have ended, but for the calling one. The engine is closed. */
    void joinWorkers() {
        for (Thread thread : started) {
            if (thread != Thread.currentThread()) {
                // A thread that had no stack left may have taken back its announcement of sleep without waking it.
                LockSupport.unpark(thread);
                Threads.join(thread);
            }
        }
    }

    /** Starts a thread for work of a front that blocks. */
    static Thread dedicated(String name, Runnable body) {
        Thread thread = Thread.ofPlatform()
                .daemon()
                .name(name)
                .uncaughtExceptionHandler((its, e) -> LOG.log(Level.ERROR, "thread " + its.getName() + " ended", e))
                .unstarted(body);
        Binding.start(thread);
        return thread;
    }

    /** Runs {@code action} on a virtual thread. */
    static void virtual(Runnable action) {
        Thread thread = Thread.ofVirtual()
                .name("jacquard-virtual")
                .uncaughtExceptionHandler((its, e) -> LOG.log(Level.ERROR, "an action on a virtual thread failed", e))
                .unstarted(action);
        Binding.start(thread); // or the JVM's own threads, on which all virtual ones run, would be bound
    }
}
