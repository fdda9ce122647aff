package dev.jacquard.cluster.communicator;

import dev.jacquard.base.codec.Codec;

/**
 * A message that has come and is set aside for the caller: no other receive can get it. It must be received.
 *
 * <p>Threads: confined to one at a time.
 */
public interface Message {
    /** Returns its source, tag, size and type. */
    Status status();

    /**
     * Receives it.
     *
     * @throws CommunicationException if it does not fit
     * @throws IllegalStateException if it was received before
     */
    void receive(Elements into) throws InterruptedException;

    /**
     * Receives it as a value.
     *
     * @throws CommunicationException if it is no value of that type
     * @throws IllegalStateException if it was received before
     */
    <T> T receiveValue(Codec<T> codec) throws InterruptedException;
}
