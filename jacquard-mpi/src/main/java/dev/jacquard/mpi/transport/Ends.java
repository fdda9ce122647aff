package dev.jacquard.mpi.transport;

import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.message.Operation;
import dev.jacquard.cluster.message.Wait;
import java.util.BitSet;

/**
 * The ranks that have ended, and send nothing more: an operation that waits for a message of theirs fails.
 *
 * <p>Threads: any; the monitor guards the set. {@code count} is written under it.
 */
final class Ends {
    private final int rank;
    private final BitSet ended = new BitSet();
    private volatile int count;

    /**
     * No ends.
     *
     * @param rank this rank
     */
    Ends(int rank) {
        this.rank = rank;
    }

    /** A rank has ended, and all its messages have come. */
    synchronized void add(int its) {
        ended.set(its);
        count = ended.cardinality();
    }

    /** Returns the number of ranks that have ended. */
    int count() {
        return count;
    }

    /** Fails the operations of a wait that can never end. */
    synchronized void check(Wait wait) {
        for (Operation each : wait.operations()) {
            int partner = each.subject().partner();
            if (each.subject().isMessage() && partner >= 0 && ended.get(partner) && !each.isMoving()) {
                each.fail(new CommunicationException("rank " + rank + " waits for "
                        + each.subject().text() + ", and rank " + partner
                        + (each.subject().partnerHere() == partner ? "" : " of the world")
                        + " has ended: it sends nothing more"));
            }
        }
    }
}
