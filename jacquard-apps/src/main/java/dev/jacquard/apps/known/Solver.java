package dev.jacquard.apps.known;

import static dev.jacquard.expressions.language.Functions.number;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.components.component.Job;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.files.Slice;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.MemoryPlan;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Solves the equations of a known solution on a grid.
 *
 * @param order of the method in time
 * @param share the length of steps, in longest stable steps
 * @param scheduler orders the tasks of a step; null for none
 * @param workers 0 for one per processor, or those of the program that it is a part of
 * @param threads tasks at a time and workers of each one's loops; null to go by measured times
 */
record Solver(
        KnownSolution solution,
        int order,
        double share,
        Loops.Form form,
        boolean fuses,
        MemoryPlan.Policy policy,
        @Nullable Scheduler scheduler,
        int workers,
        @Nullable ThreadSplit threads) {
    /** The steps that run before the time is taken, or fewer. */
    private static final int WARM_UP = 20;

    private static final int TRIADS = 12;
    /** The time for more of them, until the JVM has compiled the loop for good. */
    private static final long TRIADS_NANOS = 300_000_000;

    /**
     * The findings.
     *
     * @param fields bytes: planned, measured at most, and without sharing
     */
    record Outcome(
            long steps,
            double time,
            double step,
            double stableStep,
            double errorMax,
            double errorL2,
            double nanosPerPointStep,
            double gigabytesPerSecond,
            double triad,
            Map<String, Long> fields,
            int loops,
            String scheduler,
            ThreadSplit threads) {}

    /**
     * Solves.
     *
     * @param steps the number of steps; of no importance if {@code end} is a number
     * @param end the time to reach, or NaN; then no files are written
     */
    Outcome run(Grid grid, int steps, double end, Job job) throws IOException {
        Session shared = job.sessionOf(workers);
        if (shared != null) {
            return run(shared, grid, steps, end, job);
        }
        SessionBuilder builder = Session.builder();
        if (workers > 0) {
            builder.workers(workers);
        }
        try (Session session = builder.open()) {
            return run(session, grid, steps, end, job);
        }
    }

    private Outcome run(Session session, Grid grid, int steps, double end, Job job) throws IOException {
        try (FieldStore fields = FieldStore.open(session, grid)) {
            Integrator integrator = begin(fields);
            double stable = integrator.stableStep(Double.POSITIVE_INFINITY, job.cancellation()::check);
            double step = share * stable;
            boolean isMain = Double.isNaN(end);
            double nanos = Double.NaN;
            if (isMain) {
                nanos = steps(integrator, steps, step, job);
            } else {
                integrator.runUntil(end, step);
            }
            Map<String, Long> bytes = new LinkedHashMap<>();
            bytes.put("planned", integrator.plannedBytes());
            bytes.put(
                    "peakBytes", session.data().transfers().spaces().getFirst().peak());
            bytes.put("staticBytes", integrator.staticBytes());
            double[] errors = errors(fields, integrator.time());
            double triad = Double.NaN;
            if (isMain) {
                files(fields, integrator.time(), job);
                triad = triad(fields);
            }
            return new Outcome(
                    integrator.steps(),
                    integrator.time(),
                    step,
                    stable,
                    errors[0],
                    errors[1],
                    nanos,
                    integrator.movedBytes()
                            / (nanos * grid.interior(Centring.CELL).points()),
                    triad,
                    bytes,
                    integrator.loops(),
                    scheduler == null ? "none" : scheduler.name(),
                    integrator.threads());
        }
    }

    /** Returns the steps of the unknowns, which have their values at t = 0. */
    Integrator begin(FieldStore fields) {
        solution.given(fields);
        List<Tag<Cell>> unknowns = solution.unknowns();
        for (int i = 0; i < unknowns.size(); i++) {
            int unknown = i;
            fields.set(unknowns.get(i), (x, y, z) -> solution.value(unknown, x, y, z, 0));
        }
        Tag<?>[] rates = unknowns.stream().map(solution::rate).toArray(Tag<?>[]::new);
        ExpressionTree tree = solution.model(fields.grid())
                .tree(rates)
                .fuse(fuses)
                .fields(policy)
                .loops(form);
        tree = scheduler == null ? tree : tree.scheduler(scheduler);
        Ssp ssp = Ssp.order(order);
        for (Tag<Cell> unknown : unknowns) {
            ssp = ssp.advance(unknown, solution.rate(unknown));
        }
        Integrator integrator = solution.bounded(ssp.of(tree)).compile(fields);
        return threads == null ? integrator : integrator.threads(threads.tasks(), threads.operators());
    }

    /** Returns the greatest error, and the root of the mean square of all, over all unknowns. */
    private double[] errors(FieldStore fields, double t) {
        List<Tag<Cell>> unknowns = solution.unknowns();
        Tag<Cell> exact = Tag.cell("exact");
        double most = 0;
        double squares = 0;
        long values = 0;
        for (int i = 0; i < unknowns.size(); i++) {
            int unknown = i;
            fields.set(exact, (x, y, z) -> solution.value(unknown, x, y, z, t));
            double[] known = fields.values(exact);
            double[] found = fields.values(unknowns.get(i));
            for (int at = 0; at < known.length; at++) {
                double error = Math.abs(found[at] - known[at]);
                most = Math.max(most, error);
                squares += error * error;
            }
            values += known.length;
        }
        return new double[] {most, Math.sqrt(squares / values)};
    }

    /** Runs the steps; returns the nanoseconds of one per point. */
    private static double steps(Integrator integrator, int steps, double step, Job job) {
        job.progress().start("steps", steps);
        int warm = Math.min(WARM_UP, steps / 2);
        for (int i = 0; i < steps; i++) {
            job.cancellation().check();
            if (i == warm) {
                integrator.restartClock();
            }
            integrator.step(step);
            job.progress().advance(1);
        }
        integrator.run(0, step);
        return integrator.nanosPerPointStep();
    }

    /** Writes all unknowns for NumPy, and a picture of the first. */
    private void files(FieldStore fields, double time, Job job) throws IOException {
        for (Tag<Cell> unknown : solution.unknowns()) {
            fields.files().npy(unknown, job.output().file(unknown.name() + ".npy"));
        }
        Tag<Cell> first = solution.unknowns().getFirst();
        Slice middle = Slice.z(fields.grid().cells(2) / 2);
        fields.files().image(first, middle, job.output().file(first.name() + ".png"), time);
    }

    /** Returns the bytes per nanosecond that {@code a = b + 3c} moves on these fields, by the best of some runs. */
    private double triad(FieldStore fields) {
        Tag<Cell> a = Tag.cell("triad a");
        Tag<Cell> b = Tag.cell("triad b");
        Tag<Cell> c = Tag.cell("triad c");
        fields.set(b, (x, y, z) -> 1);
        fields.set(c, (x, y, z) -> 2);
        Expr<Cell> three = number(3);
        Assignment triad = Assignment.of(fields, a, b.plus(c.times(three)), form);
        CompiledGraph graph = fields.session().record("triad", triad::submit);
        Clock clock = fields.session().clock();
        long first = clock.nanoTime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIADS || clock.nanoTime() - first < TRIADS_NANOS; i++) {
            long begin = clock.nanoTime();
            graph.run();
            least = Math.min(least, clock.nanoTime() - begin);
        }
        long points = fields.grid().interior(Centring.CELL).points();
        return 3.0 * points * fields.grid().type().bytes() / Math.max(1, least);
    }
}
