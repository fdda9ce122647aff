package dev.jacquard.apps.known;

import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;

/**
 * The times of a step with some tasks at a time and some workers for the loops of each.
 *
 * @param isRule true for the mixture that the measured times of the tasks led to
 * @param millis the time of a step in each round
 */
record Mixture(ThreadSplit threads, boolean isRule, double[] millis) {
    double median() {
        return Mixtures.median(millis);
    }
}
