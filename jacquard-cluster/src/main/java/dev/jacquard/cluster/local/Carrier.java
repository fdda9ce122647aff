package dev.jacquard.cluster.local;

import dev.jacquard.cluster.message.Envelope;

/** Delivers messages later than they are sent, messages between two ranks in the order of sending. */
interface Carrier {
    /**
     * Takes a message on its way.
     *
     * @param payload kept: independent of the sender's memory
     */
    void carry(int from, int to, Envelope envelope, LocalPayload payload);

    /** Delivers a message that is under way, if it can be now; returns false if none could. */
    boolean progress();

    /** Returns the number of messages under way. */
    int underWay();

    /** Ends its threads, and waits for them. */
    void close();
}
