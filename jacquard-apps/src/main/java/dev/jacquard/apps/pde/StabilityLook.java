package dev.jacquard.apps.pde;

import dev.jacquard.apps.pde.Keys.Stability;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.expressions.time.GrowingWavesException;
import dev.jacquard.expressions.time.InfiniteDerivativeException;
import dev.jacquard.expressions.time.Integrator;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Looks whether the steps of a run are stable, before the first one and later, and does what the program says if they
 * are not. Confined to one thread.
 */
final class StabilityLook {
    /** The times at which the stable step is looked for if automatic steps are for rates that depend on the time. */
    private static final int SAMPLES = 16;
    /** The number of steps before the second look; the next ones come after twice as many each. */
    private static final int SECOND = 100;

    private static final double ROUNDING = 1e-9;

    private final Job job;
    private final Settings settings;
    private final Equations equations;
    private final Consumer<String> warnings;
    private final Stability stability;
    private final Given<Double> step;
    private long next;

    /** @param warnings gets the texts of warnings */
    StabilityLook(Job job, Equations equations, Consumer<String> warnings) {
        this.job = job;
        this.settings = job.settings();
        this.equations = equations;
        this.warnings = warnings;
        this.stability = settings.get(Keys.STABILITY);
        this.step = settings.given(Keys.STEP);
    }

    private boolean isAutomatic() {
        return Double.isNaN(step.value());
    }

    /**
     * Returns the longest stable step at the start, or for a step that is a number any from that on if it is stable; no
     * number if none is known, or none is looked for.
     *
     * @throws InputException if the step of the program is longer and the program does not say that this is no matter
     */
    double first(Integrator integrator) {
        if (stability == Stability.OFF) {
            return Double.NaN;
        }
        double stable = longest(integrator, 0, 0, equations.vary() && isAutomatic() ? settings.get(Keys.END) : 0);
        if (!isAutomatic() && step.value() > stable * (1 + ROUNDING)) {
            InputException wrong =
                    step.error("'time.step' is " + step.text() + ", which is unstable: the longest stable step of "
                            + settings.given(Keys.METHOD).text() + " is " + text(stable)
                            + " here; take 0.9 of it, or 'step: auto'; 'time.stability: warn' runs it as it is");
            if (stability == Stability.REFUSE) {
                throw wrong;
            }
            warn(String.valueOf(wrong.getMessage()));
        }
        return stable;
    }

    /** Looks again at the fields of now, after some steps, and warns once if the steps are too long for them. */
    void later(Integrator integrator, long steps) {
        if (stability == Stability.OFF || isAutomatic() || next == Long.MAX_VALUE || steps < Math.max(next, SECOND)) {
            return;
        }
        next = 2 * steps;
        String found = "";
        try {
            double stable = integrator.stableStep(step.value(), job.cancellation()::check);
            if (step.value() > stable * (1 + ROUNDING)) {
                found = "the longest stable step is " + text(stable) + ", in cell "
                        + Arrays.toString(integrator.fastestPoint()) + " rates change fastest";
            }
        } catch (ArithmeticException e) {
            found = inKeys(String.valueOf(e.getMessage()));
        }
        if (!found.isEmpty()) {
            warn("'time.step' is " + step.text() + ", which is unstable from about t = " + text(integrator.time())
                    + " on, step " + steps + ": " + found);
        }
    }

    /**
     * Returns the longest stable step with the values of now, at times from the {@code first}th sample on; no number,
     * with a warning, if there is none and the program has the step and lets it be.
     */
    private double longest(Integrator integrator, int first, double from, double to) {
        int samples = from == to ? 0 : SAMPLES;
        job.progress().start("stable step", 1 + samples - first);
        double least = isAutomatic() ? Double.POSITIVE_INFINITY : step.value();
        try {
            for (int i = first; i <= samples; i++) {
                job.cancellation().check();
                integrator.resume(i == 0 ? from : from + (to - from) * i / samples, 0);
                double its = integrator.stableStep(least, job.cancellation()::check);
                least = i == first ? its : Math.min(least, its);
                job.progress().advance(1);
            }
        } catch (ArithmeticException e) {
            String message = String.valueOf(e.getMessage());
            String at = first == 0 ? "" : "; looked at were the checkpoint's fields, for t = " + integrator.time();
            boolean isModels = e instanceof GrowingWavesException || e instanceof InfiniteDerivativeException;
            if (isAutomatic() || (stability == Stability.REFUSE && !isModels)) {
                throw unstable(message + at + (isAutomatic() ? "" : "; 'time.stability: warn' runs it as it is"));
            }
            warn(unstable(message + at).getMessage() + "; the run goes on, as 'time.step' is a number");
            least = Double.NaN;
        }
        integrator.resume(0, 0);
        return least;
    }

    /**
     * Returns the longest step that is stable from the time of a checkpoint to a later end.
     *
     * @throws InputException if it is shorter than the automatic steps of the checkpoint
     */
    double resumed(Integrator integrator, double length, double from, double to) {
        double stable = longest(integrator, 1, from, to);
        if (length > stable * (1 + ROUNDING)) {
            throw settings.given(Keys.END)
                    .error("--resume: 'time.end' is " + text(to) + ", and the checkpoint's steps of " + text(length)
                            + " are for t up to " + text(from)
                            + ": the longest stable step until then, with the checkpoint's fields, is " + text(stable)
                            + "; start without --resume");
        }
        return stable;
    }

    /** Returns true if automatic steps depend on the time at which a run ends. */
    boolean dependsOnEnd() {
        return equations.vary() && isAutomatic();
    }

    /** Warns, and looks no more. */
    private void warn(String message) {
        next = Long.MAX_VALUE;
        warnings.accept(message);
    }

    private String inKeys(String message) {
        return message.replace("take Ssp.order(3)", "take 'method: ssp3'") + " ('time.method' is "
                + settings.given(Keys.METHOD).text() + ")";
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.4g", number);
    }

    /** Returns the error that a rate has no stable step, at its place in the file. */
    private InputException unstable(String message) {
        String told = inKeys(message);
        return equations.unknowns().stream()
                .filter(unknown -> message.contains("\"" + unknown.rate().name() + "\""))
                .findFirst()
                .map(unknown -> unknown.text().error(told))
                .orElseGet(() -> settings.given(Keys.METHOD).error(told));
    }
}
