package dev.jacquard.cluster.message;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.DeadlockException;
import dev.jacquard.cluster.communicator.Request;
import dev.jacquard.cluster.communicator.Status;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A send, a receive or a collective operation that is under way.
 *
 * <p>Threads: any. {@code state} is replaced by compare-and-set until it is an {@link End}, so that a thread that sees
 * the end sees the received memory. {@code moving} is written by the thread that delivers the message.
 */
public final class Operation implements Request {
    private static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), "state", State.class);
    private static final VarHandle MOVING = Fields.handle(MethodHandles.lookup(), "moving", boolean.class);

    private final Endpoint endpoint;
    /** The subject, for messages. */
    private final Subject subject;

    /** Null while it is under way and nothing waits. */
    private volatile @Nullable State state;

    private volatile boolean moving;

    private sealed interface State {}

    /** A wait, and those that were added before it. */
    private record Waits(Wait last, @Nullable Waits others) implements State {
        @Nullable
        Waits without(Wait its) {
            if (last == its) {
                return others;
            }
            return others == null ? this : new Waits(last, others.without(its));
        }
    }

    /** The end. */
    private record End(@Nullable Status status, @Nullable Throwable failure) implements State {
        /** Without a status or a failure. */
        static final End PLAIN = new End(null, null);
    }

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
    void end(@Nullable Status status, @Nullable Throwable failure) {
        End end = status == null && failure == null ? End.PLAIN : new End(status, failure);
        State before = state;
        while (!(before instanceof End)) {
            if (STATE.compareAndSet(this, before, end)) {
                for (Waits each = (Waits) before; each != null; each = each.others) {
                    each.last.end();
                }
                return;
            }
            before = state;
        }
    }

    /** Ends it because it can never end well. */
    public void fail(RuntimeException failed) {
        end(null, failed);
    }

    /** Adds a wait; returns false if the operation has ended. */
    private boolean add(Wait wait) {
        State before = state;
        while (!(before instanceof End)) {
            if (STATE.compareAndSet(this, before, new Waits(wait, (Waits) before))) {
                return true;
            }
            before = state;
        }
        return false;
    }

    private void remove(Wait wait) {
        while (state instanceof Waits before) {
            if (STATE.compareAndSet(this, before, before.without(wait))) {
                return;
            }
        }
    }

    @Override
    public boolean isDone() {
        if (!hasEnded()) {
            endpoint.transport().progress();
        }
        return hasEnded();
    }

    /** Its message has come, and its content is under way. */
    void moves() {
        MOVING.setRelease(this, true); // for reports of other threads: nothing is ordered after it
    }

    /** Returns true if its message has come, and its content is under way. */
    public boolean isMoving() {
        return moving;
    }

    boolean hasEnded() {
        return state instanceof End;
    }

    @Override
    public @Nullable Status await() throws InterruptedException {
        State now = state;
        while (!(now instanceof End)) {
            awaitAny(endpoint, List.of(this));
            now = state;
        }
        End end = (End) now;
        Throwable failure = end.failure;
        if (failure != null) {
            throw again(failure);
        }
        return end.status;
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
