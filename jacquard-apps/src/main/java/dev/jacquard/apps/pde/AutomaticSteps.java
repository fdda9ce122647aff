package dev.jacquard.apps.pde;

import dev.jacquard.apps.pde.Checkpoint.State;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.WorkFailedException;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.time.StepControl;
import dev.jacquard.expressions.tree.FieldStore;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Advances the unknowns by steps with lengths that the integrator chooses. Confined to one thread. */
final class AutomaticSteps {
    /** The parts of the time to the end in which progress is counted. */
    private static final int PARTS = 1_000;

    private static final String TIME = "time";

    private final Job job;
    private final Settings settings;
    private final Equations equations;
    private final Checkpoint checkpoint;
    private final FieldStore fields;
    private final Integrator integrator;
    private final StepControl control;
    private final State start;
    private final double end;

    AutomaticSteps(
            Job job,
            Equations equations,
            Checkpoint checkpoint,
            FieldStore fields,
            Integrator integrator,
            State start) {
        this.job = job;
        this.settings = job.settings();
        this.equations = equations;
        this.checkpoint = checkpoint;
        this.fields = fields;
        this.integrator = integrator;
        this.control = integrator.control().share(settings.get(Keys.SHARE));
        if (settings.get(Keys.STABILITY) == Keys.Stability.OFF) {
            control.byErrorsAlone();
        }
        this.start = start;
        this.end = settings.get(Keys.END);
    }

    /** Runs all steps. */
    Lengths run(Consumer<String> warn) throws IOException {
        begin();
        int every = settings.get(Keys.EVERY);
        double from = integrator.time();
        long counted = 0;
        job.progress().start("thousandths of the time", PARTS);
        while (integrator.time() < end) {
            long before = integrator.steps();
            if (before - start.steps() == Solver.WARM_UP) {
                integrator.restartClock();
            }
            advance();
            if (every > 0 && integrator.steps() / every > before / every) {
                checkpoint.write(fields, equations.unknowns(), start.after(integrator.steps(), state()));
            }
            long parts = (long) ((integrator.time() - from) / (end - from) * PARTS);
            job.progress().advance(parts - counted);
            counted = parts;
        }
        if (!Double.isNaN(start.stable())) { // else it was said at the start
            control.unknownStability()
                    .map(message -> StabilityLook.inKeys(settings, message))
                    .ifPresent(warn);
        }
        return Lengths.chosen(control);
    }

    private void begin() {
        Map<String, Double> known = new LinkedHashMap<>(start.control());
        Double time = known.remove(TIME);
        if (time == null) {
            integrator.resume(0, 0);
            control.stableStep(start.stable());
            return;
        }
        if (time > end) {
            throw settings.given(Keys.END)
                    .error("--resume: the checkpoint is of t = " + time + ", and 'time.end' is "
                            + settings.given(Keys.END).text() + ", before it");
        }
        integrator.resume(time, start.steps());
        control.restore(known);
    }

    private Map<String, Double> state() {
        Map<String, Double> all = new LinkedHashMap<>(control.state());
        all.put(TIME, integrator.time());
        return all;
    }

    private void advance() {
        try {
            control.advance(end, job.cancellation()::check);
        } catch (ArithmeticException e) {
            throw new WorkFailedException(e.getMessage() + "; the rates are "
                    + equations.unknowns().stream()
                            .map(unknown -> "that of '" + unknown.name() + "' at "
                                    + unknown.text().given().where())
                            .toList());
        }
    }
}
