package dev.jacquard.mpi.transport;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.message.Payload;

/**
 * A content that comes in pieces once it is received.
 *
 * @param sender the rank in the world
 * @param tag of the pieces
 * @param form of their head
 */
record PiecesPayload(Transfers transfers, int sender, int tag, byte form, long bytes) implements Payload {
    @Override
    public void receive(Elements into, Completion then) {
        try {
            Threads.requireForAll("elements of " + bytes + " bytes to receive", into.memory());
        } catch (IllegalArgumentException e) {
            drop();
            then.end(e);
            return;
        }
        transfers.start(Transfer.receive(transfers, this, into, then));
    }

    @Override
    public PiecesPayload keep() {
        return this; // the sender keeps the content
    }

    @Override
    public void drop() {
        transfers.start(Transfer.drain(transfers, this));
    }
}
