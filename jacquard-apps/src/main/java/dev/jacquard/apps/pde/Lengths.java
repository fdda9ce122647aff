package dev.jacquard.apps.pde;

import dev.jacquard.expressions.time.StepControl;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The lengths of the steps of a run. Immutable.
 *
 * @param shortest but for steps that the end cut
 * @param stable the stable steps that were found: the first one, and one that is too short for the steps of this run
 * @param rejections the steps that were repeated
 * @param estimate the greatest of the errors of steps, relative to the magnitude of an unknown; NaN if none was made
 */
record Lengths(double shortest, double longest, List<StableAt> stable, long rejections, double estimate) {
    /** Returns the lengths of steps that have one length. */
    static Lengths given(double length, List<StableAt> stable) {
        return new Lengths(length, length, stable, 0, Double.NaN);
    }

    /** Returns the lengths that were chosen. */
    static Lengths chosen(StepControl control) {
        StableAt last = new StableAt(control.stableStep(), control.stableTime());
        return new Lengths(
                control.shortest(), control.longest(), List.of(last), control.rejections(), control.estimate());
    }

    /** Puts the figures into a report. */
    void put(Map<String, Object> values) {
        values.put("step", longest);
        values.put("stableStep", stable.getFirst().step());
        values.put("stableAt", stable.getFirst().time());
        if (!Double.isNaN(estimate)) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("shortest", shortest);
            all.put("longest", longest);
            all.put("rejected", rejections);
            all.put("estimate", estimate);
            values.put("automatic", all);
        }
    }

    /** Returns the lengths as text. */
    String range() {
        return shortest == longest
                ? String.format(Locale.ROOT, "%.3g", longest)
                : String.format(Locale.ROOT, "%.3g to %.3g", shortest, longest);
    }

    /** Returns the stable steps as text. */
    String stability() {
        return stable.stream().map(StableAt::toString).collect(Collectors.joining("; "));
    }

    /** Returns the line on steps that were chosen. */
    Optional<String> line() {
        return Double.isNaN(estimate)
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%d %s rejected; the greatest estimate of a step's error is %.2g of an unknown's magnitude",
                        rejections,
                        rejections == 1 ? "step was" : "steps were",
                        estimate));
    }
}
