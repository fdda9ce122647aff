package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.Elements;
import java.util.OptionalLong;

/**
 * Carries messages of one rank of the world. Ranks here are ranks of the world.
 *
 * <p>Threads: any, unless a transport says otherwise.
 */
public interface Transport {
    /** Returns the number of this rank. */
    int rank();

    /** Returns the number of ranks. */
    int size();

    /** Called once, before all else, with the endpoint to which messages for this rank are delivered. */
    void attach(Endpoint endpoint);

    /**
     * Starts to send a message. Messages to one rank are delivered in the order of these calls.
     *
     * @param elements the content, contiguous or not
     * @param then called when the memory of the content can be changed
     */
    void send(int to, Envelope envelope, Elements elements, Payload.Completion then);

    /** Moves messages on, if that takes calls; returns without waiting. */
    void progress();

    /**
     * Waits until the wait is over.
     *
     * @throws InterruptedException if the thread is interrupted before
     */
    void await(Wait wait) throws InterruptedException;

    /**
     * A wait that was {@link Wait#block blocked} has ended; called once, by the thread that has ended it, before the
     * waiting thread is unparked.
     */
    default void ended(Wait wait) {}

    /** Runs an action on another thread, which may use this transport. */
    void execute(Runnable action);

    /** Returns an action for a thread that serves other ranks, see {@code Communicator.service}. */
    default Runnable service(Runnable action) {
        return action;
    }

    /** Ends all ranks. */
    AbortedException abort(int code, String reason);

    /** Returns the handle of the native communicator of the world; empty if there is none. */
    OptionalLong handle();

    /**
     * Returns the handle of a native communicator for some ranks of the world; empty if there is none. Collective over
     * these ranks; not for the whole world.
     */
    OptionalLong handle(int[] ranks);

    /** Frees a native communicator, unless it is the world's. */
    void free(long handle);
}
