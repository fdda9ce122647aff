package dev.jacquard.flow.report;

import dev.jacquard.drawing.Labels;
import java.util.List;

/**
 * The work of the copies of a pipeline, side by side: a snapshot that can be taken while the graph runs.
 *
 * @param name the pipeline's name, unique in its graph
 * @param copies the copies, in the order of their numbers
 */
public record PipelineBalance(String name, List<Copy> copies) {
    /**
     * The work of one copy, all its tasks together.
     *
     * @param device the device that the copy is bound to; empty for none
     * @param items items that the pipeline's distribution sent to the copy
     * @param computeNanos time in the bodies of the copy, summed over tasks and their copies
     * @param runningNanos time in which at least one engine task that the copy submitted ran
     * @param lentBytes bytes of the data that the copy's memory edges lent, all loans together. Buffers that allocators
     *     make have no known size, and do not count
     * @param peakBytes the most bytes of data that each of these memory edges lent at once, summed over the edges
     */
    public record Copy(
            String device, long items, long computeNanos, long runningNanos, long lentBytes, long peakBytes) {
        /**
         * Returns the time in which the copy was busy: {@link #runningNanos} if it submitted engine tasks, else
         * {@link #computeNanos}.
         */
        public long busyNanos() {
            return runningNanos > 0 ? runningNanos : computeNanos;
        }
    }

    /** Returns the least busy time of a copy divided by the largest, from 0 to 1; 1 if no copy was busy. */
    public double balance() {
        long most = copies.stream().mapToLong(Copy::busyNanos).max().orElse(0);
        long least = copies.stream().mapToLong(Copy::busyNanos).min().orElse(0);
        return most == 0 ? 1 : least / (double) most;
    }

    /** Returns the text for people: a line for the pipeline, and one per copy. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("pipeline \"" + name + "\", " + copies.size()
                + (copies.size() == 1
                        ? " copy"
                        : " copies, the least busy one " + Labels.share(balance()) + " of the busiest"));
        for (int number = 0; number < copies.size(); number++) {
            Copy copy = copies.get(number);
            text.append("\n  copy ").append(number).append(copy.device().isEmpty() ? "" : " on " + copy.device());
            text.append(": ").append(copy.items()).append(copy.items() == 1 ? " item, busy " : " items, busy ");
            text.append(Labels.nanos(copy.busyNanos()));
            if (copy.lentBytes() > 0) {
                text.append(", ").append(copy.lentBytes()).append(" bytes lent, at most ");
                text.append(copy.peakBytes()).append(" at once");
            }
        }
        return text.toString();
    }
}
