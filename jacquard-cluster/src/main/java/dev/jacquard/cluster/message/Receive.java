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

    /** Takes the message, and ends the operation, now or when the content is there. Called without locks. */
    abstract void take(Envelope envelope, Payload payload);
}
