package dev.jacquard.bench.fields;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;

/** Steps of a problem in a separate session. Confined to one thread. */
final class StepRuns implements AutoCloseable {
    /** Steps before any are measured: the tasks are timed, from which the sizes of the threads follow. */
    private static final int FIRST = 24;
    /** The points of a round, over all equations: some hundred milliseconds. */
    private static final long POINTS = 1 << 25;
    /** No unknown leaves this range. */
    private static final double BOUND = 0.75;

    private final StepProblem problem;
    private final int workers;
    private final Clock clock;
    private final Session session;
    private final FieldStore fields;
    private final Integrator integrator;
    private final double length;
    private final int steps;
    private final ThreadSplit rule;

    /** @param isQuick true for one step at a time */
    StepRuns(StepProblem problem, int cells, int workers, boolean isQuick, Clock clock) {
        this.problem = problem;
        this.workers = workers;
        this.clock = clock;
        Grid grid = StepProblem.grid(cells);
        this.length = StepProblem.length(grid);
        this.session = Session.builder().workers(workers).open();
        this.fields = FieldStore.open(session, grid);
        this.integrator = problem.begin(fields);
        this.steps = isQuick ? 1 : steps(problem, cells);
        for (int i = 0; i < FIRST; i++) {
            integrator.step(length);
        }
        this.rule = integrator.threads();
    }

    /** Returns the steps of a round. */
    static int steps(StepProblem problem, int cells) {
        return Math.clamp(POINTS / ((long) cells * cells * cells * problem.equations()), 1, 1_000);
    }

    /** Returns how many tasks run at a time and how many workers each loop has, by the measured times. */
    ThreadSplit rule() {
        return rule;
    }

    /** Sets that many tasks at a time and workers for the loops of each. */
    void threads(ThreadSplit threads) {
        boolean isRule = threads.equals(rule);
        // The rule sets no limit where it gives all workers to tasks.
        integrator.threads(threads.tasks(), isRule && threads.tasks() == workers ? workers : threads.operators());
        integrator.step(length);
    }

    /** Runs the steps of a round; returns the nanoseconds of one. */
    double run() {
        long start = clock.nanoTime();
        for (int i = 0; i < steps; i++) {
            integrator.step(length);
        }
        return (clock.nanoTime() - start) / (double) steps;
    }

    /** Returns true if no unknown has left its range. */
    boolean isRight() {
        return problem.unknowns().stream().allMatch(tag -> fields.max(tag) < BOUND && fields.min(tag) > -BOUND);
    }

    /** Ends the session. May be called again. */
    @Override
    public void close() {
        fields.close();
        session.close();
    }
}
