package dev.jacquard.bench.fields;

/**
 * A loop that ran some times.
 *
 * @param nanos the time of all
 * @param sum of the result, see {@link Inputs#sum}
 */
record Measured(long nanos, double sum) {
    /** A system's way to run the loop. */
    @FunctionalInterface
    interface Runs {
        /** Clears the result, and runs the loop. */
        Measured run(long times) throws Exception;
    }
}
