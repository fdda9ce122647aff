package dev.jacquard.cluster.communicator;

import org.jspecify.annotations.Nullable;

/**
 * An operation that is under way. The memory that it uses belongs to it until its end.
 *
 * <p>Threads: any. A communicator makes all requests; there are no other implementations.
 */
public interface Request {
    /** Returns true once the operation has ended, well or not. Also makes it progress. */
    boolean isDone();

    /**
     * Waits for the end of the operation.
     *
     * @return the status of the message; null for an operation that receives none
     * @throws CommunicationException if it failed
     * @throws InterruptedException if the thread is interrupted before; the operation goes on
     */
    @Nullable
    Status await() throws InterruptedException;

    /**
     * Waits for the end of all.
     *
     * @throws CommunicationException if one of them failed; the others have ended as well
     */
    static void awaitAll(Iterable<? extends Request> all) throws InterruptedException {
        CommunicationException first = null;
        for (Request each : all) {
            try {
                each.await();
            } catch (CommunicationException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
