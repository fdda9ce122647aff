package dev.jacquard.engine.plan;

import java.util.Arrays;

/**
 * The tasks of one place in time, and the gaps between them.
 *
 * <p>Gaps are kept apart from tasks and found by their ends, so that a place without gaps costs the same however many
 * tasks it has. A task of no length fits between any two tasks, where there is no gap: for these the tasks are kept.
 *
 * <p>Threads: confined to one.
 */
final class Timeline {
    private double[] gapStarts = new double[16];
    private double[] gapEnds = new double[16];
    private int gaps;

    /** The tasks of a positive length. */
    private double[] starts = new double[16];

    private double[] ends = new double[16];
    private int tasks;

    /** The end of the last task. */
    private double end;

    void clear() {
        gaps = 0;
        tasks = 0;
        end = 0;
    }

    double end() {
        return end;
    }

    /** Returns the earliest start of a task of that length, not before {@code ready}. */
    double earliest(double ready, double length) {
        if (ready >= end) {
            return ready;
        }
        if (length == 0) {
            int before = last(starts, tasks, ready);
            return before >= 0 && ends[before] > ready ? ends[before] : ready;
        }
        for (int gap = first(gapEnds, gaps, ready + length); gap < gaps; gap++) {
            double start = Math.max(ready, gapStarts[gap]);
            if (start + length <= gapEnds[gap]) {
                return start;
            }
        }
        return end;
    }

    /** Adds a task at a start that {@link #earliest} returned. */
    void add(double start, double length) {
        double itsEnd = start + length;
        if (start >= end) {
            if (start > end) {
                insertGap(gaps, end, start);
            }
            end = itsEnd;
        } else {
            split(start, itsEnd);
        }
        if (length > 0) {
            insertTask(start, itsEnd);
        }
    }

    private void split(double start, double itsEnd) {
        int gap = first(gapEnds, gaps, itsEnd);
        if (gap == gaps || gapStarts[gap] > start) {
            return; // no length, between two tasks
        }
        double gapStart = gapStarts[gap];
        double gapEnd = gapEnds[gap];
        if (gapStart < start && itsEnd < gapEnd) {
            gapStarts[gap] = itsEnd;
            insertGap(gap, gapStart, start);
        } else if (gapStart < start) {
            gapEnds[gap] = start;
        } else if (itsEnd < gapEnd) {
            gapStarts[gap] = itsEnd;
        } else {
            System.arraycopy(gapStarts, gap + 1, gapStarts, gap, gaps - gap - 1);
            System.arraycopy(gapEnds, gap + 1, gapEnds, gap, gaps - gap - 1);
            gaps--;
        }
    }

    private void insertGap(int at, double gapStart, double gapEnd) {
        if (gaps == gapStarts.length) {
            gapStarts = Arrays.copyOf(gapStarts, gaps * 2);
            gapEnds = Arrays.copyOf(gapEnds, gaps * 2);
        }
        System.arraycopy(gapStarts, at, gapStarts, at + 1, gaps - at);
        System.arraycopy(gapEnds, at, gapEnds, at + 1, gaps - at);
        gapStarts[at] = gapStart;
        gapEnds[at] = gapEnd;
        gaps++;
    }

    private void insertTask(double start, double itsEnd) {
        if (tasks == starts.length) {
            starts = Arrays.copyOf(starts, tasks * 2);
            ends = Arrays.copyOf(ends, tasks * 2);
        }
        int at = tasks > 0 && starts[tasks - 1] >= start ? last(starts, tasks, start) + 1 : tasks;
        System.arraycopy(starts, at, starts, at + 1, tasks - at);
        System.arraycopy(ends, at, ends, at + 1, tasks - at);
        starts[at] = start;
        ends[at] = itsEnd;
        tasks++;
    }

    /** Returns the first of the sorted times that is {@code time} or later; their count if none is. */
    private static int first(double[] sorted, int count, double time) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the last of the sorted times that is before {@code time}; -1 if none is. */
    private static int last(double[] sorted, int count, double time) {
        return first(sorted, count, time) - 1;
    }
}
