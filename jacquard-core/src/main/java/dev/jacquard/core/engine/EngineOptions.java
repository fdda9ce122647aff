package dev.jacquard.core.engine;

/**
 * How an engine works.
 *
 * @param workers threads that run nodes, the one that makes the engine included; at least 1
 * @param patience how often a worker looks for work in vain before it sleeps
 */
public record EngineOptions(int workers, int patience) {
    /** More than any machine has; a larger number is a mistake. */
    public static final int MOST_WORKERS = 4096;

    private static final int PATIENCE = 200;

    public EngineOptions {
        if (workers < 1 || workers > MOST_WORKERS) {
            throw new IllegalArgumentException("workers must be 1 to " + MOST_WORKERS + ", not " + workers);
        }
        if (patience < 0) {
            throw new IllegalArgumentException("patience must not be negative: " + patience);
        }
    }

    /** So many workers, everything else as usual. */
    public static EngineOptions of(int workers) {
        return new EngineOptions(workers, PATIENCE);
    }
}
