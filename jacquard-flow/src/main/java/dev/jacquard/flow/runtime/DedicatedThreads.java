package dev.jacquard.flow.runtime;

import dev.jacquard.engine.Workers;

/**
 * The threads of the dedicated copies of a run: background threads of the engine, which serve one copy after the other.
 * A new run finds those of earlier runs, since a new thread takes several times as long as one that wakes.
 *
 * <p>Threads: any. The lock of this object is held alone.
 */
final class DedicatedThreads {
    private final Workers workers;
    /** The number of copies that have a thread. Guarded by this. */
    private int atWork;

    DedicatedThreads(Workers workers) {
        this.workers = workers;
    }

    /**
     * Gives {@code live}, the life of a copy, a thread.
     *
     * @param name the name of the thread until the end of the copy
     */
    void start(String name, Runnable live) {
        change(1);
        try {
            workers.background(() -> run(name, live));
        } catch (Throwable t) { // an OutOfMemoryError, where the system allows no more threads
            change(-1);
            throw t;
        }
    }

    private void run(String name, Runnable live) {
        Thread thread = Thread.currentThread();
        String idle = thread.getName();
        try {
            thread.setName(name);
            live.run();
        } finally {
            thread.setName(idle);
            change(-1);
        }
    }

    private synchronized void change(int by) {
        atWork += by;
        notifyAll();
    }

    /** Waits until the lives of all copies are over. */
    synchronized void await() throws InterruptedException {
        while (atWork > 0) {
            wait();
        }
    }
}
