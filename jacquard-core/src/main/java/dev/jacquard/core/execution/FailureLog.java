package dev.jacquard.core.execution;

import dev.jacquard.base.failure.Suppressed;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The failures of one run that a wait has to report: the first of them, how many more there are, and the first task
 * that one of them cancelled.
 *
 * <p>Threads: guarded by the lock of its owner.
 *
 * @param <F> a failure
 */
public final class FailureLog<F> {
    /** The most failures that are reported; further ones are counted. */
    private static final int MOST = 16;
    /** The longest chain of causes that is followed. */
    private static final int MOST_CAUSES = 16;

    /** The most failures that are kept: any of them may be reported elsewhere, and then others are reported. */
    private final int most;

    private final List<F> kept = new ArrayList<>();
    private long leftOut;
    /** One of the failures left out, for when all that are kept were reported. */
    private @Nullable F spare;
    /** The first task that the end of another one cancelled, while that failure is to be reported. */
    private @Nullable String firstCancelled;
    /** The failure that cancelled it. */
    private @Nullable F reason;

    /** Creates a log without failures, which keeps as many as are reported. */
    public FailureLog() {
        this(MOST);
    }

    /** Creates a log without failures, which keeps at most {@code most}. */
    public FailureLog(int most) {
        this.most = most;
    }

    /** True if no failure is to be reported. */
    public boolean isEmpty() {
        return kept.isEmpty() && leftOut == 0;
    }

    /** True if further failures are counted only. */
    public boolean isFull() {
        return kept.size() == most;
    }

    /** Adds a failure. */
    public void add(F failure) {
        if (isFull()) {
            leftOut++;
            spare = failure;
        } else {
            kept.add(failure);
        }
    }

    /** Notes that {@code failure}, which this log has, cancelled {@code task}. */
    public void cancelled(String task, F failure) {
        if (firstCancelled == null) {
            firstCancelled = task;
            reason = failure;
        }
    }

    /**
     * Drops {@code failure}, which was reported elsewhere.
     *
     * @param isLeftOut true if the log was full when the failure was added
     */
    public void drop(F failure, boolean isLeftOut) {
        if (reason == failure) {
            firstCancelled = null;
            reason = null;
        }
        if (!kept.removeIf(one -> one == failure) && isLeftOut && leftOut > 0) {
            leftOut--;
        }
    }

    /** Visits the failures that are kept. */
    public void each(Consumer<? super F> visitor) {
        kept.forEach(visitor);
        if (spare != null) {
            visitor.accept(spare);
        }
    }

    /** Returns a copy, which can be reported without a lock. */
    public FailureLog<F> copy() {
        FailureLog<F> copy = new FailureLog<>(most);
        copy.kept.addAll(kept);
        copy.leftOut = leftOut;
        copy.spare = spare;
        copy.firstCancelled = firstCancelled;
        return copy;
    }

    /** Forgets all. */
    public void clear() {
        kept.clear();
        leftOut = 0;
        spare = null;
        firstCancelled = null;
        reason = null;
    }

    /**
     * Returns the exception of the first failure, with the exceptions of the others suppressed. The log is not empty.
     *
     * @param report how all tasks ended, for the message
     * @param maker makes the exception of a failure; its message ends with the consequences
     */
    public <X extends RuntimeException> X exception(Object report, BiFunction<? super F, String, X> maker) {
        F first = kept.isEmpty() ? Objects.requireNonNull(spare) : kept.getFirst();
        X thrown = maker.apply(first, "\n  " + report + consequences());
        kept.stream().skip(1).limit(MOST - 1).forEach(other -> Suppressed.add(thrown, maker.apply(other, "")));
        return thrown;
    }

    private String consequences() {
        int suppressed = Math.clamp(kept.size() - 1L, 0, MOST - 1);
        long more = leftOut + Math.max(0, kept.size() - MOST) - (kept.isEmpty() ? 1 : 0);
        return (firstCancelled == null ? "" : "; first cancelled: \"" + firstCancelled + '"')
                + (suppressed + more == 0 ? "" : "; ")
                + (suppressed > 0 ? "suppressed: " + suppressed + " more" : "")
                + (suppressed > 0 && more > 0 ? ", and " : "")
                + (more > 0 ? more + (more == 1 ? " failure is" : " failures are") + " left out" : "");
    }

    /**
     * Returns true if {@code error} says that the code was interrupted, or that something it waited for was cancelled.
     */
    public static boolean isGivenUp(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (cause instanceof CancellationException
                    || cause instanceof InterruptedException
                    || cause instanceof InterruptedIOException
                    || cause instanceof ClosedByInterruptException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /**
     * The number of tasks or items that ended, by how they did; the common part of the texts of reports.
     *
     * @param done ended well
     * @param failed their bodies threw
     * @param cancelled did not run, or were interrupted
     */
    public record Ends(long done, long failed, long cancelled) {
        @Override
        public String toString() {
            return done + " done, " + failed + " failed, " + cancelled + " cancelled";
        }
    }
}
