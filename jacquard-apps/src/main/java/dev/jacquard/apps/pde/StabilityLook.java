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
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the steps of a run are stable, before the first one and later, and acts as the program says if they are
 * not. Confined to one thread.
 */
final class StabilityLook {
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
    /** The stable step with the fields of the warning; null without one. */
    private @Nullable StableAt tooShort;

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
        double stable = longest(integrator);
        if (!isAutomatic() && step.value() > stable * (1 + ROUNDING)) {
            InputException wrong =
                    step.error("'time.step' is " + step.text() + ", which is unstable: the longest stable step of "
                            + settings.given(Keys.METHOD).text() + " is " + StableAt.text(stable)
                            + " at t = 0; take 0.9 of it, or 'step: auto'; 'time.stability: warn' runs it as it is");
            if (stability == Stability.REFUSE) {
                throw wrong;
            }
            warn(String.valueOf(wrong.getMessage()));
        }
        return stable;
    }

    /**
     * Looks again at the fields of now, after some steps and after the last, and warns once if the steps are too long
     * for them.
     */
    void later(Integrator integrator, long steps, boolean isLast) {
        boolean isDue = isLast || steps >= Math.max(next, SECOND);
        if (stability == Stability.OFF || isAutomatic() || next == Long.MAX_VALUE || !isDue) {
            return;
        }
        next = 2 * steps;
        String found = "";
        double stable = Double.NaN;
        try {
            stable = integrator.stableStep(step.value(), job.cancellation()::check);
            if (step.value() > stable * (1 + ROUNDING)) {
                found = "the longest stable step is " + StableAt.text(stable) + ", in cell "
                        + Arrays.toString(integrator.fastestPoint()) + " rates change fastest";
            }
        } catch (ArithmeticException e) {
            found = inKeys(settings, String.valueOf(e.getMessage()));
        }
        if (!found.isEmpty()) {
            tooShort = new StableAt(stable, integrator.time());
            warn("'time.step' is " + step.text() + ", which is unstable from about t = "
                    + StableAt.text(integrator.time()) + " on, step " + steps + ": " + found);
        }
    }

    /**
     * Returns the stable steps that were found, each with its time.
     *
     * @param first at t = 0
     */
    List<StableAt> found(double first) {
        StableAt start = stability == Stability.OFF ? StableAt.NEVER : new StableAt(first, 0);
        return tooShort == null ? List.of(start) : List.of(start, tooShort);
    }

    /**
     * Returns the longest stable step with the values of now; no number, with a warning, if none is known and the
     * program lets that be.
     */
    private double longest(Integrator integrator) {
        job.progress().start("stable step", 1);
        job.cancellation().check();
        integrator.resume(0, 0);
        double enough = isAutomatic() ? Double.POSITIVE_INFINITY : step.value();
        double longest;
        try {
            longest = integrator.stableStep(enough, job.cancellation()::check);
        } catch (ArithmeticException e) {
            boolean isModels = e instanceof GrowingWavesException || e instanceof InfiniteDerivativeException;
            InputException wrong = unstable(String.valueOf(e.getMessage()));
            if (stability == Stability.REFUSE && (isAutomatic() || !isModels)) {
                throw unstable(e.getMessage() + "; 'time.stability: warn' "
                        + (isAutomatic() ? "chooses steps by their errors alone" : "runs it as it is"));
            }
            warn(wrong.getMessage() + "; the run goes on, "
                    + (isAutomatic() ? "with steps chosen by their errors alone" : "as 'time.step' is a number"));
            longest = Double.NaN;
        }
        job.progress().advance(1);
        return longest;
    }

    /** Warns, and looks no more. */
    private void warn(String message) {
        next = Long.MAX_VALUE;
        warnings.accept(message);
    }

    /** Returns a message of the integrator in the words of program files. */
    static String inKeys(Settings settings, String message) {
        return message.replace("take Ssp.order(3)", "take 'method: ssp3'") + " ('time.method' is "
                + settings.given(Keys.METHOD).text() + ")";
    }

    /** Returns the error that a rate has no stable step, at its place in the file. */
    private InputException unstable(String message) {
        String told = inKeys(settings, message);
        return equations.unknowns().stream()
                .filter(unknown -> message.contains("\"" + unknown.rate().name() + "\""))
                .findFirst()
                .map(unknown -> unknown.text().error(told))
                .orElseGet(() -> settings.given(Keys.METHOD).error(told));
    }
}
