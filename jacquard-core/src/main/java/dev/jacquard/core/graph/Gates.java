package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/** The synchronizing tasks of a scope that wait for everything before them, in the order of submission. */
final class Gates {
    /** A synchronizing task that waits. */
    static final class Gate {
        final TaskNode task;
        /**
         * The number of tasks of the scope that were submitted before. No later task can end first: when this number of
         * tasks have ended, all of them are over.
         */
        final long before;

        /** The next gate; null for none. Guarded by the scope's lock. */
        @Nullable
        Gate next;

        Gate(TaskNode task, long before) {
            this.task = task;
            this.before = before;
        }
    }

    private final Scope scope;

    /**
     * The first gate; null for none. Written under the scope's lock. Read without the lock by a worker that ends a
     * task, after a full fence: the thread that adds a gate reads the count of ended tasks afterwards, and the worker
     * that counts an ended task looks for gates afterwards, so one of them sees the other.
     */
    private volatile @Nullable Gate first;

    /** The last gate; null when there is none. Guarded by the scope's lock. */
    private @Nullable Gate last;

    Gates(Scope scope) {
        this.scope = scope;
    }

    /** Adds a gate for {@code task}, after {@code before} tasks. Under the scope's lock. */
    void add(TaskNode task, long before) {
        Gate gate = new Gate(task, before);
        Gate behind = last;
        last = gate;
        if (behind == null) {
            first = gate;
        } else {
            behind.next = gate;
        }
    }

    /**
     * Returns the first gate of {@code scope} right now, or null. For threads that look from outside, without the lock:
     * they may miss the gates after it.
     */
    static @Nullable Gate firstOf(Scope scope) {
        Gates its = scope.gates;
        return its == null ? null : its.first;
    }

    /** Releases the tasks for which everything before is over. {@code context} is null outside of workers. */
    void open(@Nullable WorkerContext context) {
        for (Gate gate = takeOpen(); gate != null; gate = takeOpen()) {
            gate.task.edgeGone(context);
        }
    }

    private @Nullable Gate takeOpen() {
        Gate known = first;
        if (known == null || scope.ended() < known.before) {
            return null;
        }
        scope.lock.lock();
        try {
            known = first;
            if (known == null || scope.ended() < known.before) {
                return null;
            }
            first = known.next;
            if (known.next == null) {
                last = null; // keeps no task alive
            }
            return known;
        } finally {
            scope.lock.unlock();
        }
    }
}
