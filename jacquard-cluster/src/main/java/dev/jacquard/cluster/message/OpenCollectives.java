package dev.jacquard.cluster.message;

import java.util.TreeSet;

/**
 * The numbers of a communicator's collective operations that are under way on this rank.
 *
 * <p>Threads: any; the monitor guards all.
 */
final class OpenCollectives {
    private final TreeSet<Integer> open = new TreeSet<>();
    private int next;

    /** Returns the number of an operation that sends nothing under it. */
    synchronized int next() {
        return next++;
    }

    /** Begins an operation. */
    synchronized int begin() {
        open.add(next);
        return next++;
    }

    synchronized void end(int number) {
        open.remove(number);
    }

    /** Returns the number below which all operations have ended. */
    synchronized int lowest() {
        return open.isEmpty() ? next : open.first();
    }
}
