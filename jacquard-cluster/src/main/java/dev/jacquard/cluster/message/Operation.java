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
 * A send, a receive or a collective operation that is under way, and the end of its transfer.
 *
 * <p>Threads: any. {@code state} is replaced by compare-and-set until it is an {@link End}, so that a thread that sees
 * the end sees the status and the received memory. {@code status} is written once, by the thread that delivers the
 * message.
 */
public final class Operation implements Request, Payload.Completion {
    private static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), "state", State.class);
    private static final VarHandle STATUS = Fields.handle(MethodHandles.lookup(), "status", Status.class);

    private final Endpoint endpoint;
    /** The subject, for messages. */
    private final Subject subject;

    /** Null while it is under way and nothing waits. */
    private volatile @Nullable State state;

    /** Null until its message has come. */
    private volatile @Nullable Status status;

    /** A wait, several or the end. */
    sealed interface State permits Wait, Waits, End {}

    /** A wait, and the waits that were added before it. */
    private record Waits(Wait last, State others) implements State {
        State without(Wait its) {
            if (last == its) {
                return others;
            }
            if (others instanceof Waits more) {
                return new Waits(last, more.without(its));
            }
            return others == its ? last : this;
        }
    }

    /** The end. */
    private record End(@Nullable Throwable failure) implements State {
        static final End WELL = new End(null);
    }

    /**
     * The subject of an operation, for reports of waits.
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

    /** Returns a description of it, for reports. */
    public Subject subject() {
        return subject;
    }

    /** Ends it, once; later calls do nothing. */
    @Override
    public void end(@Nullable RuntimeException failure) {
        finish(failure);
    }

    /** Ends it because it can never end well. */
    public void fail(Throwable failure) {
        finish(failure);
    }

    private void finish(@Nullable Throwable failure) {
        End end = failure == null ? End.WELL : new End(failure);
        State before = state;
        while (!(before instanceof End)) {
            if (STATE.compareAndSet(this, before, end)) {
                endWaits(before);
                return;
            }
            before = state;
        }
    }

    private static void endWaits(@Nullable State waits) {
        State each = waits;
        while (each instanceof Waits several) {
            several.last.end();
            each = several.others;
        }
        if (each instanceof Wait wait) {
            wait.end();
        }
    }

    /** Adds a wait; returns false if the operation has ended. */
    private boolean add(Wait wait) {
        State before = state;
        while (!(before instanceof End)) {
            if (STATE.compareAndSet(this, before, before == null ? wait : new Waits(wait, before))) {
                return true;
            }
            before = state;
        }
        return false;
    }

    private void remove(Wait wait) {
        State before = state;
        while (before instanceof Waits || before == wait) {
            State after = before instanceof Waits several ? several.without(wait) : null;
            if (STATE.compareAndSet(this, before, after)) {
                return;
            }
            before = state;
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
    void moves(Status its) {
        STATUS.setRelease(this, its); // before the end, which orders it; reports of other threads may be late
    }

    /** Returns true if its message has come, and its content is under way. */
    public boolean isMoving() {
        return status != null;
    }

    boolean hasEnded() {
        return state instanceof End;
    }

    @Override
    public @Nullable Status await() throws InterruptedException {
        State now = state;
        while (!(now instanceof End)) {
            Wait wait = new Wait(endpoint, this);
            try {
                if (add(wait)) {
                    await(wait);
                }
            } finally {
                remove(wait);
            }
            now = state;
        }
        Throwable failure = ((End) now).failure;
        if (failure != null) {
            throw again(failure);
        }
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
                await(wait);
            }
        } finally {
            for (Operation each : operations) {
                each.remove(wait);
            }
        }
    }

    private static void await(Wait wait) throws InterruptedException {
        Endpoint its = wait.endpoint();
        its.waits(wait);
        try {
            its.transport().await(wait);
        } finally {
            its.waits(null);
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
