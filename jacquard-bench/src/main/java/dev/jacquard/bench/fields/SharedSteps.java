package dev.jacquard.bench.fields;

import dev.jacquard.bench.rival.Program;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Steps on two workers, compared with two processes that each run the same steps on one worker at the same time: the
 * speed of the machine for programs that share nothing. Figures are nanoseconds per point of each equation; figures of
 * the processes count the points of both. So the ratio of the processes is the part of their speed-up that two workers
 * reach.
 */
final class SharedSteps extends Workload {
    private static final int WORKERS = 2;
    /** The part of the cells along an axis that a quick run has. */
    private static final int QUICK = 16;

    private final StepProblem problem;
    private final int cells;

    SharedSteps(String name, StepProblem problem, int cells) {
        super(name, "ns/point", new Rounds(0, 1), new Rounds(4, 15));
        this.problem = problem;
        this.cells = cells;
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        int its = plan.quick() ? Math.max(4, cells / QUICK) : cells;
        double points = (double) its * its * its * problem.equations();
        return List.of(
                workers("jacquard", WORKERS, its, points, plan),
                workers("jacquard-alone", 1, its, points, plan),
                new Processes(
                        points,
                        StepProcess.start(problem, its, plan.quick()),
                        StepProcess.start(problem, its, plan.quick())));
    }

    private Contender workers(String system, int workers, int its, double points, Plan plan) {
        StepRuns runs = new StepRuns(problem, its, workers, plan.quick(), plan.clock());
        return new StepContender(system, workers, points, runs.rule(), runs);
    }

    private static final class Processes extends Contender {
        private final double points;
        private final List<Program> both;
        private final ExecutorService threads = Executors.newFixedThreadPool(WORKERS);

        Processes(double points, Program one, Program other) {
            super("two-processes", WORKERS);
            this.points = points;
            this.both = List.of(one, other);
        }

        @Override
        public Map<String, Double> round() throws InterruptedException, ExecutionException {
            List<Callable<Double>> asked = both.stream()
                    .<Callable<Double>>map(one -> () -> StepProcess.run(one))
                    .toList();
            double speed = 0;
            for (Future<Double> nanos : threads.invokeAll(asked)) {
                speed += 1 / nanos.get();
            }
            return Map.of(MAIN, 1 / speed / points);
        }

        @Override
        public void close() throws IOException {
            threads.shutdown();
            for (Program one : both) {
                one.close();
            }
        }
    }
}
