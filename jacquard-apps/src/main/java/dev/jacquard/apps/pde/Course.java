package dev.jacquard.apps.pde;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import java.util.Locale;

/**
 * The steps of a run: all of one length but the last, which may be shorter, so that it ends exactly at the end. The
 * time of a step follows from its number alone, so that a run that goes on has the same. Immutable.
 *
 * @param length of a step
 * @param end of the last step
 * @param count of the steps
 * @param isEven true if the last one is as long as the others
 */
record Course(double length, double end, long count, boolean isEven) {
    /** The relative difference of quotients of numbers that people write, such as 0.1 / 1e-4, from the one meant. */
    private static final double ROUNDING = 1e-12;

    /** More would take years. */
    private static final double MOST_STEPS = 1e12;

    /**
     * Throws if it would take too many steps of that length to reach the end.
     *
     * @throws InputException at the length, or at the end if the length follows from the equations
     */
    static void requireFew(Settings settings, double length) {
        double end = settings.get(Keys.END);
        if (end / length > MOST_STEPS) {
            Given<Double> step = settings.given(Keys.STEP);
            Given<?> wrong = Double.isNaN(step.value()) ? settings.given(Keys.END) : step;
            throw wrong.error("'" + wrong.key() + "' is " + wrong.text()
                    + String.format(
                            Locale.ROOT,
                            ": steps of %.3g to t = %.4g would be %.1g in number; expected %.0g at most",
                            length,
                            end,
                            end / length,
                            MOST_STEPS));
        }
    }

    static Course of(double length, double end) {
        double steps = end / length;
        double nearest = Math.rint(steps);
        boolean isEven = nearest >= 1 && Math.abs(steps - nearest) <= ROUNDING * nearest;
        return new Course(length, end, (long) (isEven ? nearest : Math.ceil(steps)), isEven);
    }

    /** Returns the length of the longest step: the only one may be shorter. */
    double longest() {
        return Math.min(length, end);
    }

    /** Returns the length of a step, the first of which has the number 1. */
    double length(long step) {
        return isWhole(step) ? length : end - timeAfter(step - 1);
    }

    /** Returns true if a step is as long as the others. */
    boolean isWhole(long step) {
        return isEven || step < count;
    }

    /** Returns the time that a step leads to. */
    double timeAfter(long step) {
        return step >= count ? end : step * length;
    }
}
