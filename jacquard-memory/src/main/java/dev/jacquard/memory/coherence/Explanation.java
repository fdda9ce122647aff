package dev.jacquard.memory.coherence;

import java.util.List;

/**
 * Why a task runs on one of several devices: it was expected to end first there.
 *
 * @param task its name
 * @param kernel what it runs; empty when nothing
 * @param device where it runs
 * @param estimates of each device that it could have run on
 */
public record Explanation(String task, String kernel, String device, List<Estimate> estimates) {
    /**
     * When the task would be over on a device, counted from its submission, in nanoseconds.
     *
     * @param device which
     * @param queueNanos when the device has done what it has to do already, as far as that is known
     * @param dataNanos when the last of the task's data would be there
     * @param runNanos how long kernels like that ran there so far; 0 when that is not known yet
     * @param endNanos when it would be over
     * @param missingBytes how much would have to be moved there
     * @param tasks how many tasks were there
     */
    public record Estimate(
            String device,
            double queueNanos,
            double dataNanos,
            double runNanos,
            double endNanos,
            long missingBytes,
            int tasks) {
        @Override
        public String toString() {
            return "%s: over after %.1f µs (queue %.1f, data %.1f, run %.1f), %d bytes to move, %d tasks there"
                    .formatted(
                            device,
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
        StringBuilder text = new StringBuilder("task \"" + task + "\" runs on " + device);
        for (Estimate estimate : estimates) {
            text.append("; ").append(estimate);
        }
        return text.toString();
    }
}
