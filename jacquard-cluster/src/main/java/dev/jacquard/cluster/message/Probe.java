package dev.jacquard.cluster.message;

import org.jspecify.annotations.Nullable;

/**
 * A probe: it takes a message, and leaves its content where it is.
 *
 * <p>Threads: the field is written by the thread that delivers the message, before the operation ends, and read after
 * that.
 */
final class Probe extends Receive {
    Channel.@Nullable Arrival arrival;

    Probe(int from, int tag, Operation operation) {
        super(from, tag, operation);
    }

    @Override
    void take(Envelope envelope, Payload payload) {
        arrival = new Channel.Arrival(envelope, payload.keep());
        operation.moves(ElementsReceive.status(envelope));
        operation.end(null);
    }
}
