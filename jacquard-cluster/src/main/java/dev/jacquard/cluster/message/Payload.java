package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.Elements;
import org.jspecify.annotations.Nullable;

/** The content of a message that has come, or is about to. {@link #receive} or {@link #drop} is called, once. */
public interface Payload {
    /**
     * Moves the content into memory, and then ends the operation; at once, or later on any thread.
     *
     * @param into room for at least the content
     */
    void receive(Elements into, Completion then);

    /**
     * The message waits for a receive: a content in memory that may be changed is copied. Called under the lock of a
     * channel, perhaps again, before the other methods; must not call anything of others.
     *
     * @return the content in the place of this one
     */
    Payload keep();

    /** Drops the content. */
    void drop();

    /** The end of a transfer. */
    @FunctionalInterface
    interface Completion {
        /**
         * Called once, at the end.
         *
         * @param failure null if all went well
         */
        void end(@Nullable RuntimeException failure);
    }
}
