package dev.jacquard.bench.workload;

/**
 * How often a workload is run.
 *
 * @param warmUps first rounds, which do not count
 * @param measured rounds that count, at least 1
 */
public record Rounds(int warmUps, int measured) {
    public Rounds {
        if (warmUps < 0 || measured < 1) {
            throw new IllegalArgumentException("rounds must be 0 or more to warm up and at least 1 to measure, not "
                    + warmUps + " and " + measured);
        }
    }
}
