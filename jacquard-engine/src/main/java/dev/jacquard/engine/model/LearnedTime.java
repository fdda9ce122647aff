package dev.jacquard.engine.model;

import dev.jacquard.base.concurrent.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The time of one name at one place for one size class: a mean and a deviation that follow the measurements.
 *
 * <pre>
 *  run 1          includes work that is done once, such as compiling a kernel: an estimate until run 2, not counted
 *  run 2, 3       the shorter of this run and the run before counts
 *  from run 4 on  the median of the last three runs counts: a single long run changes nothing
 *                 a median of less than half the mean replaces the mean: few runs go to a place that looks bad,
 *                 and two of them tell that it no longer is
 * </pre>
 *
 * <p>An entry that begins with a kept time returns that until {@value #OWN_RUNS} runs of this session have counted.
 * Then the kept time joins the mean, or is stale and is replaced.
 *
 * <p>Threads: any. The mean is opaque. A measurement writes the number of runs last, with release, and reads it first,
 * with acquire: it finds the other fields, which are plain, written by that many runs at least. Of two measurements at
 * a time one may be lost; the mean stays within the range of the measurements.
 */
final class LearnedTime {
    /** The number of recent measurements that the mean stands for, at most. */
    static final int RECENT = 8;
    /** The number of counted runs after which this session's mean is compared with the kept one. */
    static final int OWN_RUNS = 3;
    /** A kept mean is stale if the mean of this session differs by more than this factor, and by more than 0.1 ms. */
    private static final double STALE = 2;

    private static final double STALE_NANOS = 100_000;
    /** A median below this part of the mean replaces the mean. */
    private static final double FALLEN = 0.5;
    /** A measurement adds to the deviation at most as if it took this multiple of the median. */
    private static final double LONGEST = 4;

    private static final VarHandle MEAN = Fields.handle(MethodHandles.lookup(), "mean", double.class);
    private static final VarHandle RUNS = Fields.handle(MethodHandles.lookup(), "runs", int.class);

    /** The place and the size class, as {@link NameTimes} combines them. */
    final int key;
    /** The time that an earlier session has kept; null if there is none. */
    final TimeFile.@Nullable Entry kept;

    /** Opaque, by any thread. The expected time in nanoseconds; negative before the first run. */
    @SuppressWarnings("unused") // through MEAN
    private double mean;
    /** By any thread, with acquire and release. The runs of this session, of which the first does not count. */
    @SuppressWarnings("unused") // through RUNS
    private int runs;

    /** The mean of this session. */
    private double own;
    /** The mean of the squared differences from the mean. */
    private double variance;
    /** The mean size of the accesses, in bytes. */
    private double bytes;
    /** The last measurement, and the one before. */
    private double last;

    private double before;
    private boolean stale;

    /** The runs when {@link #isDue} last looked. */
    private int seenRuns = -1;
    /** The runs at the other places at the last measurement here, or at the last retry. */
    private long seenOthers;

    LearnedTime(int key, TimeFile.@Nullable Entry kept) {
        this.key = key;
        this.kept = kept;
        this.mean = kept == null ? -1 : kept.meanNanos();
    }

    /** Returns the expected time in nanoseconds; negative if there is none. */
    double nanos() {
        return (double) MEAN.getOpaque(this);
    }

    /** Returns the number of runs in this session, the first included. */
    int runs() {
        return (int) RUNS.getAcquire(this);
    }

    /** Returns true if the time is more than that of a first run. */
    boolean isKnown() {
        return kept != null || runs() > 1;
    }

    /** Returns the number of runs of this session that counted. */
    int counted() {
        return Math.max(0, runs() - 1);
    }

    /** Returns true if the kept time was replaced by the measurements of this session. */
    boolean isStale() {
        return stale;
    }

    /** Returns the mean size of the accesses, in bytes. */
    double bytes() {
        return runs() > 1 || kept == null ? bytes : kept.bytes();
    }

    /** Adds a run of {@code measured} nanoseconds, 0 or more and finite. */
    void add(double measured, long size) {
        int run = runs(); // of which the first does not count: with this one, "run" counted runs
        if (run == 0) {
            last = measured;
            bytes = size;
            if (kept == null) {
                MEAN.setOpaque(this, measured);
            }
        } else {
            count(run, measured, size);
        }
        RUNS.setRelease(this, Math.min(run, Integer.MAX_VALUE - 1) + 1);
    }

    private void count(int run, double measured, long size) {
        double typical = run < OWN_RUNS ? Math.min(last, measured) : median(before, last, measured);
        before = last;
        last = run == 1 ? typical : measured;
        boolean fell = run > OWN_RUNS && typical < FALLEN * own;
        double part = fell ? 1 : run < RECENT ? 1.0 / run : 1.0 / RECENT;
        double old = run == 1 ? typical : own;
        double longest = LONGEST * typical;
        double off = (measured < longest ? measured : longest) - old;
        variance = run == 1 ? 0 : (1 - part) * (variance + part * off * off);
        bytes = run == 1 ? size : bytes + part * (size - bytes);
        own = old + part * (typical - old);
        if (kept != null && run == OWN_RUNS) {
            compare(kept.meanNanos());
        }
        if (kept == null || run >= OWN_RUNS) {
            MEAN.setOpaque(this, own);
        }
    }

    /** Takes the kept mean into this session's, unless it is stale. */
    private void compare(double keptMean) {
        double less = Math.min(own, keptMean);
        double more = Math.max(own, keptMean);
        stale = more > STALE * less && more > less + STALE_NANOS;
        if (!stale) {
            own = blended(keptMean, OWN_RUNS);
        }
    }

    /** Returns the middle of three numbers. Compares them: {@code Math.max} takes care of NaN, and longer. */
    private static double median(double a, double b, double c) {
        double low = a < b ? a : b;
        double high = a < b ? b : a;
        return c < low ? low : c > high ? high : c;
    }

    /**
     * Returns true if a run here would tell something: there are less than two, or enough runs were elsewhere since the
     * last one. After that the answer is false until the next run, or for as many runs elsewhere.
     *
     * @param others the number of runs at other places
     * @param least the number of runs at other places between two retries
     */
    boolean isDue(long others, double least) {
        int run = runs();
        if (run != seenRuns) {
            seenRuns = run;
            seenOthers = others;
            return !isKnown();
        }
        boolean due = others - seenOthers >= least;
        if (due) {
            seenOthers = others;
        }
        return due;
    }

    /** Returns the entry for a file: the kept time and this session's, unless the kept one is stale. */
    TimeFile.Entry entry(String name, String target) {
        int own = counted();
        boolean checking = kept != null && own < OWN_RUNS;
        return new TimeFile.Entry(
                name,
                target,
                NameTimes.sizeClass(this),
                bytes(),
                Math.min(TimeFile.MOST_RUNS, own + (kept == null || stale ? 0 : kept.count())),
                kept != null && checking ? blended(kept.meanNanos(), own) : nanos(),
                kept != null && checking ? kept.deviationNanos() : Math.sqrt(variance));
    }

    /** Returns the kept mean with the weight of {@code counted} runs of this session. */
    private double blended(double keptMean, int counted) {
        return counted == 0 ? keptMean : keptMean + (double) counted / RECENT * (own - keptMean);
    }
}
