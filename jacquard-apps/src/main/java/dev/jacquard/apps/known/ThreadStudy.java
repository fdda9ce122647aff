package dev.jacquard.apps.known;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.components.component.Job;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.MemoryPlan;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Measures steps of one problem after the other with each mixture of t tasks at a time and k workers for the loops of
 * each, t·k no more than twice the workers, and the mixture that the measured times of the tasks led to. All of them
 * take turns on the same fields, so that other load on the machine hits all alike.
 */
final class ThreadStudy {
    /** Steps before measurements: the tasks are timed, and the loops compiled. */
    private static final int WARM_UP = 40;

    private static final int MOST_STEPS = 1_000;
    /**
     * The length of steps, in squares of the cells' width: short, since waves that decay for long leave tiny numbers.
     */
    private static final double SHARE = 0.001;

    private static final int ORDER = 3;

    private final Job job;
    private final Grid grid;
    /** The session of the program that it is a part of; null to open one for each problem. */
    private final @Nullable Session shared;

    private final int workers;
    private final int rounds;
    private final long nanos;
    private final List<String> charts = new ArrayList<>();

    /**
     * Creates a study.
     *
     * @param workers 0 for one per processor, or the workers of the program that it is a part of
     * @param nanos the least time of one measurement
     */
    ThreadStudy(Job job, Grid grid, int workers, int rounds, long nanos) {
        this.job = job;
        this.grid = grid;
        this.shared = job.sessionOf(workers);
        this.workers = shared != null ? shared.workers() : workers > 0 ? workers : Machine.availableProcessors();
        this.rounds = rounds;
        this.nanos = nanos;
    }

    /** Returns the number of workers. */
    int workers() {
        return workers;
    }

    /** Returns the names of the charts that were written so far. */
    List<String> charts() {
        return charts;
    }

    /** Returns the mixtures, ascending: powers of two, and all workers. */
    private List<ThreadSplit> mixtures() {
        TreeSet<Integer> counts = new TreeSet<>(List.of(workers));
        for (int count = 1; count < workers; count *= 2) {
            counts.add(count);
        }
        List<ThreadSplit> all = new ArrayList<>();
        for (int tasks : counts) {
            for (int operators : counts) {
                if ((long) tasks * operators <= 2L * workers) {
                    all.add(new ThreadSplit(tasks, operators));
                }
            }
        }
        return all;
    }

    /** Measures the steps of a problem, and writes its charts. */
    Mixtures run(String problem, KnownSolution solution) throws IOException {
        Solver solver = new Solver(
                solution, ORDER, SHARE, Loops.Form.AUTO, true, MemoryPlan.Policy.DYNAMIC, null, workers, null);
        if (shared != null) {
            return run(problem, solver, shared);
        }
        try (Session session = Session.builder().workers(workers).open()) {
            return run(problem, solver, session);
        }
    }

    private Mixtures run(String problem, Solver solver, Session session) throws IOException {
        try (FieldStore fields = FieldStore.open(session, grid)) {
            Integrator integrator = solver.begin(fields).checkEvery(Integer.MAX_VALUE);
            Mixtures finding = new Mixtures(problem, measure(problem, integrator, session.clock()));
            integrator.run(0, 1); // throws if a value is not finite
            charts.addAll(new MixtureCharts(finding, grid, workers).write(job.output()));
            return finding;
        }
    }

    private List<Mixture> measure(String problem, Integrator integrator, Clock clock) {
        double step = SHARE * grid.spacing(0) * grid.spacing(0);
        for (int i = 0; i < WARM_UP; i++) {
            job.cancellation().check();
            integrator.step(step);
        }
        List<Mixture> rows = new ArrayList<>();
        mixtures().forEach(threads -> rows.add(new Mixture(threads, false, new double[rounds])));
        rows.add(new Mixture(integrator.threads(), true, new double[rounds]));
        long begin = clock.nanoTime();
        integrator.step(step);
        long once = Math.max(1, clock.nanoTime() - begin);
        int steps = Math.clamp(nanos / once + 1, 1, MOST_STEPS);
        job.progress().start(problem, (long) rounds * rows.size());
        for (int round = 0; round < rounds; round++) {
            for (Mixture row : rows) {
                job.cancellation().check();
                int tasks = row.threads().tasks();
                // As the rule does it: no limit where it gives all workers to tasks.
                integrator.threads(
                        tasks,
                        row.isRule() && tasks == workers
                                ? workers
                                : row.threads().operators());
                integrator.step(step);
                begin = clock.nanoTime();
                for (int i = 0; i < steps; i++) {
                    integrator.step(step);
                }
                row.millis()[round] = (clock.nanoTime() - begin) / 1e6 / steps;
                job.progress().advance(1);
            }
        }
        return rows;
    }
}
