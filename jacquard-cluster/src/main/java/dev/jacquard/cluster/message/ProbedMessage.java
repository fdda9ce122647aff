package dev.jacquard.cluster.message;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Message;
import dev.jacquard.cluster.communicator.Status;

/** A message that a probe has set aside. */
final class ProbedMessage implements Message {
    private final RankCommunicator communicator;
    private final Channel.Arrival arrival;
    /** Confined to the thread that has the message. */
    private boolean received;

    ProbedMessage(RankCommunicator communicator, Channel.Arrival arrival) {
        this.communicator = communicator;
        this.arrival = arrival;
    }

    @Override
    public Status status() {
        return ElementsReceive.status(arrival.envelope());
    }

    @Override
    public void receive(Elements into) throws InterruptedException {
        Envelope envelope = arrival.envelope();
        take(new ElementsReceive(communicator, into, envelope.source(), envelope.tag(), operation()));
    }

    @Override
    public <T> T receiveValue(Codec<T> codec) throws InterruptedException {
        Envelope envelope = arrival.envelope();
        WholeReceive receive = new WholeReceive(envelope.source(), envelope.tag(), operation());
        take(receive);
        return Values.read(communicator, codec, receive);
    }

    private void take(Receive receive) throws InterruptedException {
        if (received) {
            throw new IllegalStateException(
                    "a message of rank " + arrival.envelope().source() + " with tag "
                            + arrival.envelope().tag() + " was received before");
        }
        received = true;
        receive.take(arrival.envelope(), arrival.payload());
        receive.operation.await();
    }

    private Operation operation() {
        Envelope envelope = arrival.envelope();
        return communicator.operation("the content of a message", envelope.source(), envelope.tag());
    }
}
