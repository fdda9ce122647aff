package dev.jacquard.apps.pde;

import dev.jacquard.apps.pde.Checkpoint.State;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.components.program.WorkFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Advances the unknowns of a program from t = 0, or from a checkpoint, to the end. Confined to one thread. */
final class Solver {
    private static final Logger LOG = System.getLogger("dev.jacquard.apps.pde");
    /** Newest spans kept per worker: some MiB. */
    private static final int SPANS = 1 << 16;

    /** The steps that run before the time is taken, or fewer. */
    static final int WARM_UP = 20;

    /** The steps after which the unknowns are looked at. */
    private static final int CHECK_EVERY = 100;

    /** The stage in which given fields and initial values are computed. */
    static final String VALUES = "values of fields";

    private final Job job;
    private final Settings settings;
    private final Equations equations;
    private final Checkpoint checkpoint;
    private final Clock clock = Clock.system();
    private final List<String> warnings = new ArrayList<>();
    private final StabilityLook look;

    Solver(Job job, Equations equations) {
        this.job = job;
        this.settings = job.settings();
        this.equations = equations;
        this.checkpoint = Checkpoint.of(job.output(), settings);
        this.look = new StabilityLook(job, equations, this::warn);
    }

    /** Returns the findings, after all files are written. */
    Findings solve() throws IOException {
        if (job.resumes()) {
            checkpoint.check();
        } else if (settings.get(Keys.EVERY) > 0) {
            checkpoint.requireNoFolder();
        }
        long begin = clock.nanoTime();
        Session shared = settings.get(Keys.DEVICES).isEmpty() ? job.sessionOf(settings.get(Keys.WORKERS)) : null;
        if (shared != null) {
            return solve(shared, begin);
        }
        try (Session session = session()) {
            return solve(session, begin);
        }
    }

    private Findings solve(Session session, long begin) throws IOException {
        try (FieldStore fields = FieldStore.open(session, equations.grid())) {
            ExpressionTree tree = equations
                    .tree()
                    .fuse(settings.get(Keys.FUSE))
                    .fields(settings.get(Keys.POLICY))
                    .loops(settings.get(Keys.LOOPS))
                    .tile(settings.get(Keys.TILE));
            tree = settings.get(Pde.SCHEDULER).map(tree::scheduler).orElse(tree);
            job.progress().start(VALUES, 1 + equations.unknowns().size());
            equations.set(fields, tree);
            job.progress().advance(1);
            equations.unknowns().forEach(unknown -> requireExact(fields, unknown));
            State state = job.resumes() ? checkpoint.read(fields, equations.unknowns()) : null;
            if (state == null) {
                for (Unknown unknown : equations.unknowns()) {
                    setInitial(fields, unknown);
                    job.progress().advance(1);
                }
            } else {
                job.progress().note("resumed at step " + state.steps());
            }
            Ssp.Of method = equations.method(settings.get(Keys.METHOD).order, tree);
            Integrator integrator = (isAutomatic() ? method.tolerance(settings.get(Keys.TOLERANCE)) : method)
                    .compile(fields)
                    .checkEvery(Integer.MAX_VALUE);
            State start = state == null ? start(fields, integrator) : state;
            Lengths lengths = isAutomatic()
                    ? new AutomaticSteps(job, equations, checkpoint, fields, integrator, start).run(this::warn)
                    : steps(fields, integrator, start);
            return new Findings(equations, settings, fields, integrator, lengths, start, warnings)
                    .written(job, (clock.nanoTime() - begin) / 1e9);
        }
    }

    private Session session() {
        // By the system's clock: tasks take microseconds and more.
        SessionBuilder builder = Session.builder().clock(clock);
        if (!job.isPart()) {
            builder.trace(SPANS);
        }
        int workers = settings.get(Keys.WORKERS);
        if (workers > 0) {
            builder.workers(workers);
        }
        Given<List<String>> devices = settings.given(Keys.DEVICES);
        if (!devices.value().isEmpty()) {
            try {
                builder.devices(devices.value().toArray(String[]::new));
            } catch (IllegalArgumentException e) {
                throw devices.error("'devices' is '" + devices.text() + "': " + e.getMessage());
            }
        }
        return builder.open();
    }

    private boolean isAutomatic() {
        return Double.isNaN(settings.get(Keys.STEP));
    }

    // ---- the begin

    private void setInitial(FieldStore fields, Unknown unknown) {
        setFinite(fields, unknown, unknown.initial(), 0, "initial value");
    }

    /** Looks at the solution at the end, where errors are measured, in the field that gets its first values later. */
    private void requireExact(FieldStore fields, Unknown unknown) {
        Text exact = unknown.exact();
        if (exact != null) {
            double end = settings.get(Keys.END);
            setFinite(fields, unknown, exact, end, "solution at t = " + end);
        }
    }

    private void setFinite(FieldStore fields, Unknown unknown, Text text, double time, String what) {
        equations.formula(text).set(fields, unknown.tag(), time);
        int[] at = fields.firstNotFinite(fields.field(unknown.tag()));
        if (at.length > 0) {
            throw text.error(
                    "the " + what + " of '" + unknown.name() + "' is not finite in cell " + Arrays.toString(at));
        }
    }

    private State start(FieldStore fields, Integrator integrator) {
        double end = settings.get(Keys.END);
        double stable = look.first(integrator);
        double length = settings.get(Keys.STEP);
        if (isAutomatic()) { // at most
            length = stable < Double.POSITIVE_INFINITY ? settings.get(Keys.SHARE) * stable : end;
        }
        Course.requireFew(settings, length);
        Map<String, Double> integrals = new LinkedHashMap<>();
        equations.unknowns().forEach(unknown -> integrals.put(unknown.name(), integral(fields, unknown)));
        return new State(0, length, stable, integrals, Map.of());
    }

    /** Returns the integral of an unknown: its sum times the volume of a cell. */
    static double integral(FieldStore fields, Unknown unknown) {
        double volume = 1;
        for (int axis = 0; axis < fields.grid().dimensions(); axis++) {
            volume *= fields.grid().spacing(axis);
        }
        return fields.sum(unknown.tag()) * volume;
    }

    private void warn(String message) {
        LOG.log(Logger.Level.WARNING, message);
        warnings.add(message);
    }

    private Course course(State start) {
        Course course = Course.of(start.length(), settings.get(Keys.END));
        // The last step of this run may be a shorter one: the checkpoint's of that number was not.
        if (start.steps() > course.count() || !course.isWhole(start.steps())) {
            String reached = start.steps() > course.count() ? "after " + course.count() : "before that one's end";
            throw settings.given(Keys.END)
                    .error("--resume: the checkpoint is of step " + start.steps() + ", and 'time.end' "
                            + settings.given(Keys.END).text() + " is reached " + reached);
        }
        return course;
    }

    // ---- the steps

    private Lengths steps(FieldStore fields, Integrator integrator, State start) throws IOException {
        Course course = course(start);
        long count = course.count() - start.steps();
        int every = settings.get(Keys.EVERY);
        job.progress().start("steps", count);
        integrator.resume(course.timeAfter(start.steps()), start.steps());
        for (long step = start.steps() + 1; step <= course.count(); step++) {
            job.cancellation().check();
            if (step - start.steps() == 1 + Math.min(WARM_UP, count / 2)) {
                integrator.restartClock();
            }
            integrator.step(course.length(step));
            integrator.resume(course.timeAfter(step), step);
            boolean isKept = every > 0 && step % every == 0 && course.isWhole(step);
            if (isKept || step % CHECK_EVERY == 0 || step == course.count()) {
                check(fields, step);
                look.later(integrator, step, step == course.count());
            }
            if (isKept) {
                State state = start.after(step);
                checkpoint.write(fields, equations.unknowns(), state);
            }
            job.progress().advance(1);
        }
        return Lengths.given(course.longest(), look.found(start.stable()));
    }

    private void check(FieldStore fields, long step) {
        for (Unknown unknown : equations.unknowns()) {
            int[] at = fields.firstNotFinite(fields.field(unknown.tag()));
            if (at.length > 0) {
                throw new WorkFailedException("'" + unknown.name() + "' is not finite in cell " + Arrays.toString(at)
                        + " after step " + step + ": its rate, at "
                        + unknown.text().given().where()
                        + ", or a condition at a wall has no value there, or the solution grows without bounds;"
                        + " shorter steps may help if it should not");
            }
        }
    }
}
