package dev.jacquard.sim;

import dev.jacquard.engine.plan.WorkGraph;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The times that tasks really take: those of the graph, or each of them times a factor that the seed draws. The factor
 * of a task is the same at all places and for all policies. Immutable.
 */
final class Durations {
    private final WorkGraph graph;
    /** Null for exact times. */
    private final double @Nullable [] factors;

    /**
     * @param noise the standard deviation of the logarithms of the factors, which have the mean 1; 0 for exact times
     */
    Durations(WorkGraph graph, double noise, long seed) {
        this.graph = graph;
        if (noise == 0) {
            this.factors = null;
            return;
        }
        SplittableRandom random = new SplittableRandom(seed);
        this.factors = new double[graph.tasks()];
        for (int task = 0; task < factors.length; task++) {
            factors[task] = Math.exp(noise * (random.nextGaussian() - noise / 2));
        }
    }

    boolean areExact() {
        return factors == null;
    }

    /** Returns the time of a task at a place; infinite where it cannot run. */
    double of(int task, int place) {
        double cost = graph.cost(task, place);
        return factors == null ? cost : cost * factors[task];
    }

    /** Returns the time of a task at the place where it takes least. */
    double least(int task) {
        double least = Double.POSITIVE_INFINITY;
        for (int place = 0; place < graph.places(); place++) {
            least = Math.min(least, of(task, place));
        }
        return least;
    }
}
