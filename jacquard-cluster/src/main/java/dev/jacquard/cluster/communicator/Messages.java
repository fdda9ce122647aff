package dev.jacquard.cluster.communicator;

import dev.jacquard.base.codec.Codec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages between two ranks of a {@link Communicator}, which documents their common rules. */
public interface Messages {
    /** Any rank, as the source of a message. */
    int ANY_SOURCE = -1;

    /** Any tag of a message. */
    int ANY_TAG = -1;

    /**
     * Sends elements; returns when their memory can be changed. A large message waits for its receive.
     *
     * @param tag from 0 on
     */
    void send(Elements elements, int to, int tag) throws InterruptedException;

    /** Starts to send elements; their memory must stay as it is until the request has ended. */
    Request sendAsync(Elements elements, int to, int tag);

    /** Sends a value. */
    <T> void sendValue(Codec<T> codec, T value, int to, int tag) throws InterruptedException;

    /** Starts to send a value, which can be changed at once. */
    <T> Request sendValueAsync(Codec<T> codec, T value, int to, int tag);

    /**
     * Receives a message.
     *
     * @param from a rank, or {@link #ANY_SOURCE}
     * @param tag a tag, or {@link #ANY_TAG}
     */
    Status receive(Elements into, int from, int tag) throws InterruptedException;

    /** Starts to receive a message. Receives that fit the same message get theirs in the order of these calls. */
    Request receiveAsync(Elements into, int from, int tag);

    /** Receives a value. */
    <T> T receiveValue(Codec<T> codec, int from, int tag) throws InterruptedException;

    /** Sends and receives at once, which cannot wait for each other. The memories must not overlap. */
    Status exchange(Elements elements, int to, int sendTag, Elements into, int from, int receiveTag)
            throws InterruptedException;

    /** Waits for a message and sets it aside. */
    Message probe(int from, int tag) throws InterruptedException;

    /** Sets a message aside if it has come; returns null otherwise. */
    @Nullable
    Message poll(int from, int tag);

    /**
     * Waits until a request has ended, and returns its place in the list.
     *
     * @param requests one or more; requests that have ended before count
     */
    int awaitAny(List<Request> requests) throws InterruptedException;
}
