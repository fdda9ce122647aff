package dev.jacquard.apps.pde;

import java.util.Locale;

/**
 * A step that is stable with the fields of some time: the longest, or for a given step one that is no shorter.
 * Immutable.
 *
 * @param step infinity if each is stable, NaN if none is known
 * @param time NaN if stable steps were not looked for
 */
record StableAt(double step, double time) {
    /** No stable step was looked for. */
    static final StableAt NEVER = new StableAt(Double.NaN, Double.NaN);

    /** Returns the number as all messages on stable steps have it. */
    static String text(double number) {
        return String.format(Locale.ROOT, "%.4g", number);
    }

    @Override
    public String toString() {
        if (Double.isNaN(time)) {
            return "no step is known to be stable";
        }
        String steps = Double.isNaN(step)
                ? "no step is known to be stable"
                : Double.isInfinite(step) ? "every step is stable" : "steps up to " + text(step) + " are stable";
        return steps + " at t = " + (time == 0 ? "0" : text(time));
    }
}
