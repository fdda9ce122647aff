package dev.jacquard.engine;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.Stealing;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an engine works.
 *
 * @param workers threads that run nodes on the host, the one that makes the engine included; at least 1
 * @param patience how often a worker looks for work in vain before it sleeps
 * @param main the main thread, which need not be the one that makes the engine; null for none
 * @param places how many threads serve each target or device, besides the host's workers
 * @param policy which ready node next, and where
 */
public record EngineOptions(
        int workers, int patience, @Nullable Thread main, Map<Place, Integer> places, Policy policy) {
    /** More than any machine has; a larger number is a mistake. */
    public static final int MOST_WORKERS = 4096;

    private static final int MOST_TARGETS = 100;
    private static final int PATIENCE = 200;

    public EngineOptions {
        if (workers < 1 || workers > MOST_WORKERS) {
            throw new IllegalArgumentException("workers must be 1 to " + MOST_WORKERS + ", not " + workers);
        }
        if (patience < 0) {
            throw new IllegalArgumentException("patience must not be negative: " + patience);
        }
        places.forEach(EngineOptions::requireSensible);
        if (places.size() > MOST_TARGETS) {
            throw new IllegalArgumentException(
                    "at most " + MOST_TARGETS + " targets can have workers, not " + places.size());
        }
        long all = workers + places.values().stream().mapToLong(n -> n).sum();
        if (all > Short.MAX_VALUE) { // tasks keep the number of their worker in 16 bits
            throw new IllegalArgumentException(
                    "workers of the host and of targets must be " + Short.MAX_VALUE + " at most together, not " + all);
        }
        places = Collections.unmodifiableMap(new LinkedHashMap<>(places)); // in the user's order
    }

    /** The calling thread is the main thread, and no target but the host has workers. */
    public EngineOptions(int workers, int patience) {
        this(workers, patience, Thread.currentThread(), Map.of(), new Stealing());
    }

    /** Options with that number of workers and all else as usual; the calling thread is the main thread. */
    public static EngineOptions of(int workers) {
        return new EngineOptions(workers, PATIENCE);
    }

    /** The same with another main thread; null for none. */
    public EngineOptions withMain(@Nullable Thread thread) {
        return new EngineOptions(workers, patience, thread, places, policy);
    }

    /** The same with these threads for targets and devices, each of which has its own number. */
    public EngineOptions withPlaces(Map<Place, Integer> threads) {
        return new EngineOptions(workers, patience, main, threads, policy);
    }

    /** The same with another policy. */
    public EngineOptions withPolicy(Policy other) {
        return new EngineOptions(workers, patience, main, places, other);
    }

    private static void requireSensible(Place place, int threads) {
        if (place.name().equals(ExecutionTarget.HOST.name())) {
            throw new IllegalArgumentException("the host's workers are set by workers(n), not for a target");
        }
        if (threads < 1 || threads > MOST_WORKERS) {
            throw new IllegalArgumentException(
                    "workers for target " + place + " must be 1 to " + MOST_WORKERS + ", not " + threads);
        }
    }
}
