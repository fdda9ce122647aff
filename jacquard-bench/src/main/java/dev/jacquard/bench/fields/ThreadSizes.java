package dev.jacquard.bench.fields;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Steps with the tasks at a time and the workers for their loops that follow from the tasks' measured times, compared
 * with the other mixtures, on the same fields. The least ratio tells how far the best mixture is ahead.
 */
final class ThreadSizes extends Workload {
    /** The part of the cells along an axis that a quick run has. */
    private static final int QUICK = 16;

    private final StepProblem problem;
    private final int cells;

    ThreadSizes(String name, StepProblem problem, int cells) {
        super(name, "ns/point", new Rounds(0, 1), new Rounds(4, 15));
        this.problem = problem;
        this.cells = cells;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int its = plan.quick() ? Math.max(4, cells / QUICK) : cells;
        double points = (double) its * its * its * problem.equations();
        int workers = Math.max(2, Collections.max(plan.workers()));
        StepRuns runs = new StepRuns(problem, its, workers, plan.quick(), plan.clock());
        List<Contender> all = new ArrayList<>();
        all.add(new StepContender("jacquard", workers, points, runs.rule(), runs));
        for (int tasks = 1; tasks <= workers; tasks *= 2) {
            for (int operators = 1; operators <= workers && tasks * operators <= 2 * workers; operators *= 2) {
                String name = "mixture-" + tasks + 'x' + operators;
                all.add(new StepContender(name, workers, points, new ThreadSplit(tasks, operators), runs));
            }
        }
        return all;
    }
}
