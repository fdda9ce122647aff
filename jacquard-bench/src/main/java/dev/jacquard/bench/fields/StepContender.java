package dev.jacquard.bench.fields;

import dev.jacquard.bench.workload.Workload.Contender;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import java.util.Map;

/** Steps of a problem, with a mixture of tasks at a time and workers for their loops. */
final class StepContender extends Contender {
    private final double points;
    private final ThreadSplit threads;
    private final StepRuns runs;

    /**
     * Creates the contender.
     *
     * @param points of all equations together
     * @param threads the mixture, also that of the rule
     */
    StepContender(String system, int workers, double points, ThreadSplit threads, StepRuns runs) {
        super(system, workers);
        this.points = points;
        this.threads = threads;
        this.runs = runs;
    }

    @Override
    public Map<String, Double> round() {
        runs.threads(threads);
        double nanos = runs.run();
        verify(runs.isRight(), "the range of an unknown");
        return Map.of(MAIN, nanos / points);
    }

    @Override
    public void close() {
        runs.close();
    }
}
