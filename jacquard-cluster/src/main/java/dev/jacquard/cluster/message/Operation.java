package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.DeadlockException;
import dev.jacquard.cluster.communicator.Request;
import dev.jacquard.cluster.communicator.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A send, a receive or a collective operation that is under way.
 *
 * <p>Threads: any. The monitor guards the list of waits and the end; {@code done} is written last, so that who sees it
 * true sees the status, the failure and the received memory.
 */
public final class Operation implements Request {
    private final Endpoint endpoint;
    /** The subject, for messages. */
    private final Subject subject;

    private @Nullable Status status;
    private @Nullable Throwable failure;
    private volatile boolean done;
    /** Written by the thread that delivers the message. */
    private volatile boolean moving;
    /** Guarded by this. Null while nothing waits. */
    private @Nullable List<Wait> waits;

    /**
     * The subject of an operation, for reports of what waits for what.
     *
     * @param action such as {@code a message}, {@code its receive}, {@code allreduce}
     * @param communicator its name
     * @param partner the rank of the world on which it depends; -1 for any
     * @param partnerHere the number of the partner in the communicator
     * @param tag the tag; -1 for any
     */
    public record Subject(String action, String communicator, int partner, int partnerHere, int tag) {
        /** Returns the text that follows {@code waits for}. */
        public String text() {
            return action
                    + (partnerHere >= 0 ? " of rank " + partnerHere : partner == -1 && tag != -2 ? " of any rank" : "")
                    + (tag >= 0 ? " with tag " + tag : tag == -1 ? " with any tag" : "")
                    + (communicator.equals("world") ? "" : " in communicator '" + communicator + "'");
        }

        /** Returns true if it ends with a message of the partner, not with the receive of one. */
        public boolean isMessage() {
            return tag == -2 ? partner >= 0 : action.equals("a message") || action.equals("a value");
        }
    }

    Operation(Endpoint endpoint, Subject subject) {
        this.endpoint = endpoint;
        this.subject = subject;
    }

    /** Returns what it is, for reports. */
    public Subject subject() {
        return subject;
    }

    /** Ends it, once; later calls do nothing. */
    void end(@Nullable Status its, @Nullable Throwable failed) {
        List<Wait> waiting;
        synchronized (this) {
            if (done) {
                return;
            }
            status = its;
            failure = failed;
            done = true;
            waiting = waits;
            waits = null;
        }
        if (waiting != null) {
            waiting.forEach(Wait::end);
        }
    }

    /** Ends it because it can never end well. */
    public void fail(RuntimeException failed) {
        end(null, failed);
    }

    /** Adds a wait; returns false if the operation has ended. */
    private synchronized boolean add(Wait wait) {
        if (done) {
            return false;
        }
        if (waits == null) {
            waits = new ArrayList<>(1);
        }
        waits.add(wait);
        return true;
    }

    private synchronized void remove(Wait wait) {
        if (waits != null) {
            waits.remove(wait);
        }
    }

    @Override
    public boolean isDone() {
        if (!done) {
            endpoint.transport().progress();
        }
        return done;
    }

    /** Its message has come, and its content is under way. */
    void moves() {
        moving = true;
    }

    /** Returns true if its message has come, and its content is under way. */
    public boolean isMoving() {
        return moving;
    }

    boolean hasEnded() {
        return done;
    }

    @Override
    public @Nullable Status await() throws InterruptedException {
        if (!done) {
            awaitAny(endpoint, List.of(this));
        }
        throwFailure();
        return status;
    }

    /** Waits until one of them has ended. */
    static void awaitAny(Endpoint endpoint, List<Operation> operations) throws InterruptedException {
        Wait wait = new Wait(endpoint, operations);
        boolean waits = true;
        for (Operation each : operations) {
            waits &= each.add(wait);
        }
        try {
            if (waits) {
                endpoint.waits(wait);
                endpoint.transport().await(wait);
            }
        } finally {
            endpoint.waits(null);
            for (Operation each : operations) {
                each.remove(wait);
            }
        }
    }

    private void throwFailure() {
        Throwable its = failure;
        if (its != null) {
            throw again(its);
        }
    }

    /** Returns an exception that says the same: it may be thrown on several threads. */
    static RuntimeException again(Throwable failure) {
        return switch (failure) {
            case DeadlockException e -> new DeadlockException(String.valueOf(e.getMessage()));
            case AbortedException e -> new AbortedException(e.rank(), e.code(), String.valueOf(e.getMessage()), e);
            case CommunicationException e -> new CommunicationException(String.valueOf(e.getMessage()), e);
            case IllegalArgumentException e -> new IllegalArgumentException(e.getMessage(), e);
            default -> new CommunicationException(failure.toString(), failure);
        };
    }
}
