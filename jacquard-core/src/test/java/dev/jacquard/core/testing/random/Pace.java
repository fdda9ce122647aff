package dev.jacquard.core.testing.random;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** The threads of one run: real ones, or those that a schedule plays in one thread. */
interface Pace {
    /** Opens the session; the caller is its opener, and calls all but what bodies call. */
    Session open(SessionBuilder builder);

    /** The opener does something, in which it may wait. */
    void opener(Runnable what);

    /** All submitters submit what is theirs. By the opener; returns when all have. */
    void submitAll(Program program, Trial trial, Session session) throws Exception;

    /** Where a body may be interrupted by others; it takes some time. */
    void pause(Job job);

    /** A body, or a submission, gives others time for much. */
    void linger(Job job, long nanos);

    /** Lets those behind begin, in half of the tasks. */
    default void mayLinger(Job job) {
        if (job.id() / 100 % 2 == 0) {
            linger(job, 600_000);
        } else {
            pause(job);
        }
    }

    /** Another thread does it, at some time. */
    void later(Runnable what);

    /** Runs the functions of drivers for {@code session}. */
    Executor drivers(Session session);

    /** Who runs what the caller runs: equal for one thread. */
    Object runner();

    /** Waits until the calling thread is interrupted, or for 5 s. Returns true if it was interrupted. */
    static boolean awaitInterrupt() {
        long most = 5_000_000_000L;
        long start = System.nanoTime();
        while (!Thread.interrupted()) {
            if (System.nanoTime() - start >= most) {
                return false;
            }
            LockSupport.parkNanos(most / 100);
        }
        return true;
    }
}
