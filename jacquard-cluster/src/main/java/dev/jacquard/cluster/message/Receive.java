package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.Communicator;

/** A receive that waits for a message, or a probe. */
abstract class Receive {
    /** The number of the source in the communicator, or any. */
    final int from;
    /** The tag, or any. */
    final int tag;

    final Operation operation;

    Receive(int from, int tag, Operation operation) {
        this.from = from;
        this.tag = tag;
        this.operation = operation;
    }

    final boolean matches(Envelope envelope) {
        return (from == Communicator.ANY_SOURCE || from == envelope.source())
                && (tag == Communicator.ANY_TAG || tag == envelope.tag());
    }

    /**
     * Returns true if a message that does not match shows that the one this waits for will never come: another rank has
     * called a different collective operation.
     */
    boolean excludes(Envelope envelope) {
        return false;
    }

    /** Ends the operation because of a message that it {@link #excludes}. Called without locks. */
    void refuse(Envelope envelope) {
        throw new IllegalStateException("no message is refused: " + envelope);
    }

    /** Takes the message, and ends the operation, now or when the content is there. Called without locks. */
    abstract void take(Envelope envelope, Payload payload);
}
