package dev.jacquard.apps.pde;

import dev.jacquard.apps.pde.Checkpoint.State;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.components.program.WorkFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.time.GrowingWavesException;
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
import java.util.Locale;
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

    /** The times at which the stable step is looked for if rates depend on the time. */
    private static final int SAMPLES = 16;

    private final Job job;
    private final Settings settings;
    private final Equations equations;
    private final Checkpoint checkpoint;
    private final Clock clock = Clock.system();
    private final List<String> warnings = new ArrayList<>();

    Solver(Job job, Equations equations) {
        this.job = job;
        this.settings = job.settings();
        this.equations = equations;
        this.checkpoint = Checkpoint.of(job.output(), settings);
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
            equations.set(fields, tree);
            equations.unknowns().forEach(unknown -> requireExact(fields, unknown));
            State state = job.resumes() ? checkpoint.read(fields, equations.unknowns()) : null;
            if (state == null) {
                equations.unknowns().forEach(unknown -> setInitial(fields, unknown));
            }
            Ssp.Of method = equations.method(settings.get(Keys.METHOD).order, tree);
            Integrator integrator = (isAutomatic() ? method.tolerance(settings.get(Keys.TOLERANCE)) : method)
                    .compile(fields)
                    .checkEvery(Integer.MAX_VALUE);
            State start = state == null ? start(fields, integrator) : resumed(integrator, state);
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
        double stable = stableStep(integrator, 0, 0, equations.vary() && !isAutomatic() ? end : 0);
        Given<Double> step = settings.given(Keys.STEP);
        double length = step.value();
        if (isAutomatic()) {
            length = Double.isInfinite(stable) ? end : settings.get(Keys.SHARE) * stable; // at most
        } else if (length > stable * (1 + 1e-9)) {
            throw step.error("'time.step' is " + step.text() + ", which is unstable: the longest stable step of "
                    + settings.given(Keys.METHOD).text() + " is " + String.format(Locale.ROOT, "%.4g", stable)
                    + " here; take 0.9 of it, or 'step: auto'");
        }
        Course.requireFew(settings, length);
        Map<String, Double> integrals = new LinkedHashMap<>();
        equations.unknowns().forEach(unknown -> integrals.put(unknown.name(), integral(fields, unknown)));
        return new State(0, length, stable, end, integrals, Map.of());
    }

    /** Returns the integral of an unknown: its sum times the volume of a cell. */
    static double integral(FieldStore fields, Unknown unknown) {
        double volume = 1;
        for (int axis = 0; axis < fields.grid().dimensions(); axis++) {
            volume *= fields.grid().spacing(axis);
        }
        return fields.sum(unknown.tag()) * volume;
    }

    /**
     * Returns the longest stable step with the values of now, at times from the {@code first}th sample on; no number,
     * with a warning, if there is none and the user has given the step: what grows may be the model's solution.
     */
    private double stableStep(Integrator integrator, int first, double from, double to) {
        int samples = from == to ? 0 : SAMPLES;
        job.progress().start("stable step", 1 + samples - first);
        double least = Double.POSITIVE_INFINITY;
        try {
            for (int i = first; i <= samples; i++) {
                job.cancellation().check();
                integrator.resume(i == 0 ? from : from + (to - from) * i / samples, 0);
                least = Math.min(least, integrator.stableStep(job.cancellation()::check));
                job.progress().advance(1);
            }
        } catch (ArithmeticException e) {
            String message = String.valueOf(e.getMessage());
            String at = first == 0 ? "" : "; looked at were the checkpoint's fields, for t = " + integrator.time();
            InputException found = unstable(message + at);
            if (Double.isNaN(settings.get(Keys.STEP)) || !(e instanceof GrowingWavesException)) {
                throw found;
            }
            warn(found.getMessage() + "; the run goes on, as 'time.step' is a number");
            least = Double.NaN;
        }
        integrator.resume(0, 0);
        return least;
    }

    private void warn(String message) {
        LOG.log(Logger.Level.WARNING, message);
        warnings.add(message);
    }

    /**
     * Returns the state of a checkpoint, whose steps must be stable up to the end.
     *
     * @throws InputException if they are not: the end is later than that of the run before
     */
    private State resumed(Integrator integrator, State state) {
        double end = settings.get(Keys.END);
        if (isAutomatic() || !equations.vary() || end <= state.until()) {
            return state;
        }
        double stable = stableStep(integrator, 1, state.until(), end);
        if (state.length() > stable * (1 + 1e-9)) {
            throw settings.given(Keys.END)
                    .error(String.format(
                                    Locale.ROOT,
                                    "--resume: 'time.end' is %.4g, and the checkpoint's steps of %.4g are for t up to %.4g:",
                                    end,
                                    state.length(),
                                    state.until())
                            + String.format(
                                    Locale.ROOT,
                                    " the longest stable step until then, with the checkpoint's fields, is %.4g;",
                                    stable)
                            + " start without --resume");
        }
        double least = Math.min(stable, state.stable());
        return new State(state.steps(), state.length(), least, end, state.integrals(), state.control());
    }

    /** Returns the error that a rate has no stable step, at its place in the file. */
    private InputException unstable(String message) {
        String told = message.replace("take Ssp.order(3)", "take 'method: ssp3'") + " ('time.method' is "
                + settings.given(Keys.METHOD).text() + ")";
        return equations.unknowns().stream()
                .filter(unknown -> message.contains("\"" + unknown.rate().name() + "\""))
                .findFirst()
                .map(unknown -> unknown.text().error(told))
                .orElseGet(() -> settings.given(Keys.METHOD).error(told));
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
            }
            if (isKept) {
                State state = start.after(step);
                checkpoint.write(fields, equations.unknowns(), state);
            }
            job.progress().advance(1);
        }
        return Lengths.given(course.longest(), start.stable());
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
