package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Status;

/** A receive of elements into memory of the user's. */
final class ElementsReceive extends Receive {
    private final Elements into;
    private final RankCommunicator communicator;

    ElementsReceive(RankCommunicator communicator, Elements into, int from, int tag, Operation operation) {
        super(from, tag, operation);
        this.communicator = communicator;
        this.into = into;
    }

    @Override
    void take(Envelope envelope, Payload payload) {
        if (!envelope.fits(into)) {
            payload.drop();
            operation.fail(misfit(communicator, envelope, into));
            return;
        }
        operation.moves(status(envelope));
        payload.receive(into, operation);
    }

    static Status status(Envelope envelope) {
        return new Status(envelope.source(), envelope.tag(), envelope.count(), envelope.type());
    }

    static CommunicationException misfit(RankCommunicator communicator, Envelope envelope, Elements into) {
        return new CommunicationException("rank " + envelope.source() + " sent " + envelope.content() + " with tag "
                + envelope.tag() + ", and rank " + communicator.rank() + " receives into " + into
                + communicator.where() + ": expected the same type, and room for all");
    }
}
