package dev.jacquard.apps.heat;

import static dev.jacquard.expressions.language.Functions.number;

import dev.jacquard.apps.program.Application.Job;
import dev.jacquard.core.compiled.CompiledGraph;
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
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Solves the heat equation of a known solution on a grid.
 *
 * @param order of the method in time
 * @param share the length of steps, in longest stable steps
 * @param workers 0 for one per processor
 */
record Solver(
        KnownSolution solution,
        int order,
        double share,
        Loops.Form form,
        boolean fuses,
        MemoryPlan.Policy policy,
        int workers) {
    /** The steps that run before the time is taken, or fewer. */
    private static final int WARM_UP = 20;

    private static final int TRIADS = 12;

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
            int workers) {}

    /**
     * Solves.
     *
     * @param steps the number of steps; of no importance if {@code end} is a number
     * @param end the time to reach, or NaN; then no files are written
     */
    Outcome run(Grid grid, int steps, double end, Job job) throws IOException {
        SessionBuilder builder = Session.builder();
        if (workers > 0) {
            builder.workers(workers);
        }
        try (Session session = builder.open();
                FieldStore fields = FieldStore.open(session, grid)) {
            solution.set(fields);
            ExpressionTree tree = solution.model(grid)
                    .tree(KnownSolution.RATE)
                    .fuse(fuses)
                    .fields(policy)
                    .loops(form);
            Ssp.Of ssp = Ssp.order(order)
                    .advance(KnownSolution.TEMPERATURE, KnownSolution.RATE)
                    .of(tree);
            Integrator integrator = solution.bounded(ssp).compile(fields);
            double stable = integrator.stableStep();
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
            double[] errors = solution.errors(fields, integrator.time());
            double triad = Double.NaN;
            if (isMain) {
                files(fields, job);
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
                    session.workers());
        }
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

    private static void files(FieldStore fields, Job job) throws IOException {
        fields.files().npy(KnownSolution.TEMPERATURE, job.output().file("T.npy"));
        fields.image(
                KnownSolution.TEMPERATURE,
                Slice.z(fields.grid().cells(2) / 2),
                job.output().file("T.png"));
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
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIADS; i++) {
            long begin = fields.session().clock().nanoTime();
            graph.run();
            least = Math.min(least, fields.session().clock().nanoTime() - begin);
        }
        long points = fields.grid().interior(Centring.CELL).points();
        return 3.0 * points * fields.grid().type().bytes() / Math.max(1, least);
    }
}
