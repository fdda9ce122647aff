package dev.jacquard.engine.schedule;

import java.util.List;
import java.util.Locale;

/**
 * The reason why a task runs at one of several places: it was expected to end first there, or the place was tried
 * again.
 *
 * @param task its name
 * @param kernel the task's kernel; empty when none
 * @param place where it runs
 * @param isRetry true if another place looked better, and this one was tried since it may be faster by now
 * @param estimates of each place that it could have gone to
 */
public record Explanation(String task, String kernel, String place, boolean isRetry, List<Estimate> estimates) {
    /**
     * The time until the task would be over at a place, counted from its submission, in nanoseconds.
     *
     * @param place which
     * @param queueNanos when the place has done its present tasks, as far as that is known
     * @param dataNanos when the last of the task's data would be there
     * @param runNanos how long kernels like that ran there so far; 0 when that is not known yet
     * @param endNanos when it would be over
     * @param missingBytes how much would have to be moved there
     * @param tasks how many tasks were there
     */
    public record Estimate(
            String place,
            double queueNanos,
            double dataNanos,
            double runNanos,
            double endNanos,
            long missingBytes,
            int tasks) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s: over after %.1f µs (queue %.1f, data %.1f, run %.1f), %d bytes to move, %d tasks there",
                    place,
                    endNanos / 1e3,
                    queueNanos / 1e3,
                    dataNanos / 1e3,
                    runNanos / 1e3,
                    missingBytes,
                    tasks);
        }
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("task \"" + task + (isRetry ? "\" is tried on " : "\" runs on ") + place);
        for (Estimate estimate : estimates) {
            text.append("; ").append(estimate);
        }
        return text.toString();
    }
}
