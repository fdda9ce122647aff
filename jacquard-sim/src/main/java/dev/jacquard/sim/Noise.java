package dev.jacquard.sim;

import dev.jacquard.engine.plan.WorkGraph;
import java.util.SplittableRandom;

/**
 * Draws the times that tasks really take: those of the graph, each times a factor of the seed. The factor of a task is
 * the same at all places and for all policies.
 */
final class Noise {
    private Noise() {}

    /**
     * Returns the graph with drawn times; the graph itself without noise.
     *
     * @param deviation the standard deviation of the logarithms of the factors, which have the mean 1; 0 for no noise
     */
    static WorkGraph drawn(WorkGraph graph, double deviation, long seed) {
        if (deviation == 0) {
            return graph;
        }
        SplittableRandom random = new SplittableRandom(seed);
        double[] factors = new double[graph.tasks()];
        for (int task = 0; task < factors.length; task++) {
            factors[task] = Math.exp(deviation * (random.nextGaussian() - deviation / 2));
        }
        return graph.scaled(factors);
    }
}
