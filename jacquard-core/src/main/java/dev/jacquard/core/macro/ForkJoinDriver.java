package dev.jacquard.core.macro;

import dev.jacquard.core.kernel.BodyContext;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * The threads that do the items of a macro task on the host. A driver only supplies threads: each takes items until
 * none is left.
 *
 * <pre>{@code
 * ForkJoinDriver mine = ForkJoinDriver.of("mine", executor, 4);       // or a class that implements this interface
 * }</pre>
 *
 * <p>Threads: a driver may serve several macro tasks at the same time.
 *
 * <p>Source: the abstract-runtime-system document, section II-C (ForkJoin driver).
 */
public interface ForkJoinDriver {
    /** The engine's workers: the worker that began the task, and idle ones that help. The default. */
    ForkJoinDriver WORKERS = new Drivers.EngineWorkers();

    /** The common {@link ForkJoinPool}. */
    ForkJoinDriver POOL = pool(ForkJoinPool.commonPool());

    /** A virtual thread for each item, for items that wait. */
    ForkJoinDriver VIRTUAL_THREADS = virtualThreads(Integer.MAX_VALUE);

    /** Returns the threads of {@code pool}. */
    static ForkJoinDriver pool(ForkJoinPool pool) {
        Objects.requireNonNull(pool, "pool");
        return new Drivers.OnExecutor("pool", pool, Math.max(1, pool.getParallelism()));
    }

    /**
     * Returns virtual threads, one for each item.
     *
     * @param most the most threads at a time for one task; at least 1
     */
    static ForkJoinDriver virtualThreads(int most) {
        return new Drivers.VirtualThreads(most);
    }

    /**
     * Returns platform threads of the session outside of its workers.
     *
     * @param most the most threads at a time for one task; at least 1
     */
    static ForkJoinDriver threads(int most) {
        return new Drivers.PlainThreads(most);
    }

    /**
     * Returns a driver that runs strands on {@code executor}.
     *
     * @param name for messages
     * @param most the most strands at a time for one task; at least 1
     */
    static ForkJoinDriver of(String name, Executor executor, int most) {
        return new Drivers.OnExecutor(name, executor, most);
    }

    /**
     * Returns the driver of that name: {@code workers}, {@code pool}, {@code virtual-threads}, or {@code threads} with
     * as many threads as the machine has processors.
     *
     * @throws IllegalArgumentException for another name
     */
    static ForkJoinDriver named(String name) {
        return switch (name) {
            case "workers" -> WORKERS;
            case "pool" -> POOL;
            case "virtual-threads" -> VIRTUAL_THREADS;
            case "threads" -> threads(Runtime.getRuntime().availableProcessors());
            default ->
                throw new IllegalArgumentException(
                        "there is no fork-join driver \"" + name + "\": choose one of " + names());
        };
    }

    /** Returns the names that {@link #named} knows. */
    static List<String> names() {
        return List.of("workers", "pool", "virtual-threads", "threads");
    }

    /** Returns the name of the driver, for messages. */
    String name();

    /**
     * Has strands run by threads, by all of which {@link Strands#runAll} or {@link Strands#runNext} is called. May
     * return before they end. Called on a worker, which the driver should leave soon. A strand that runs late, or is
     * never run, does no harm as long as another one takes its items. Called again by another thread if a device gives
     * items back.
     *
     * @throws Exception fails the macro task; its items that have not begun do not run
     */
    void fork(Strands strands) throws Exception;

    /** The work that a driver gives to its threads. Threads: any. */
    interface Strands {
        /** Returns the number of items that were left when the driver was called: more strands have nothing to do. */
        int items();

        /** Does one item. Returns false if none was left. Throws nothing: failures of items are kept. */
        boolean runNext();

        /** Does items until none is left. */
        default void runAll() {
            while (runNext()) {
                // the next one
            }
        }

        /** Returns the context of the task. */
        BodyContext context();

        /** Runs all items on a platform thread of the session, outside of its workers. */
        void runInBackground();

        /** Runs all items on a virtual thread of the session. */
        void runOnVirtualThread();
    }
}
