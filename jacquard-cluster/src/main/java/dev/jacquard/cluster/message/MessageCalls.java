package dev.jacquard.cluster.message;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Message;
import dev.jacquard.cluster.communicator.Messages;
import dev.jacquard.cluster.communicator.Request;
import dev.jacquard.cluster.communicator.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The calls of messages between two ranks. */
abstract class MessageCalls extends CollectiveCalls implements Messages {
    abstract RankCommunicator communicator();

    abstract Endpoint endpoint();

    abstract Channel messages();

    abstract long context();

    /** Returns the number of this rank. */
    public abstract int rank();

    /** Starts to send. */
    abstract Operation post(int to, Envelope envelope, Elements elements, String action);

    /** Returns an operation that receives; its arguments are checked. */
    abstract Operation receiving(String action, int from, int tag);

    @Override
    public void send(Elements elements, int to, int tag) throws InterruptedException {
        sendAsync(elements, to, tag).await();
    }

    @Override
    public Request sendAsync(Elements elements, int to, int tag) {
        requireTag("tag", tag, 0);
        return post(
                to,
                new Envelope(context(), rank(), tag, Envelope.kind(elements.type()), (byte) 0, elements.byteSize()),
                elements,
                "the receive of a message");
    }

    @Override
    public <T> void sendValue(Codec<T> codec, T value, int to, int tag) throws InterruptedException {
        sendValueAsync(codec, value, to, tag).await();
    }

    @Override
    public <T> Request sendValueAsync(Codec<T> codec, T value, int to, int tag) {
        requireTag("tag", tag, 0);
        Elements bytes = Values.write(codec, value);
        return post(
                to,
                new Envelope(context(), rank(), tag, Envelope.VALUE, (byte) 0, bytes.byteSize()),
                bytes,
                "the receive of a value");
    }

    @Override
    public Status receive(Elements into, int from, int tag) throws InterruptedException {
        return Objects.requireNonNull(receiveAsync(into, from, tag).await());
    }

    @Override
    public Request receiveAsync(Elements into, int from, int tag) {
        Operation operation = receiving("a message", from, tag);
        messages().post(new ElementsReceive(communicator(), into, from, tag, operation));
        return operation;
    }

    @Override
    public <T> T receiveValue(Codec<T> codec, int from, int tag) throws InterruptedException {
        WholeReceive receive = new WholeReceive(from, tag, receiving("a value", from, tag));
        messages().post(receive);
        receive.operation.await();
        return Values.read(communicator(), codec, receive);
    }

    @Override
    public Status exchange(Elements elements, int to, int sendTag, Elements into, int from, int receiveTag)
            throws InterruptedException {
        Request receive = receiveAsync(into, from, receiveTag);
        Request send = sendAsync(elements, to, sendTag);
        Status status = Objects.requireNonNull(receive.await());
        send.await();
        return status;
    }

    @Override
    public Message probe(int from, int tag) throws InterruptedException {
        Probe probe = new Probe(from, tag, receiving("a message", from, tag));
        messages().post(probe);
        probe.operation.await();
        return new ProbedMessage(communicator(), Objects.requireNonNull(probe.arrival));
    }

    @Override
    public @Nullable Message poll(int from, int tag) {
        Probe probe = new Probe(from, tag, receiving("a message", from, tag));
        endpoint().transport().progress();
        return messages().postNow(probe)
                ? new ProbedMessage(communicator(), Objects.requireNonNull(probe.arrival))
                : null;
    }

    @Override
    public int awaitAny(List<Request> requests) throws InterruptedException {
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("no requests to wait for");
        }
        List<Operation> operations = new ArrayList<>(requests.size());
        for (Request each : requests) {
            operations.add((Operation) each);
        }
        int ended = firstEnded(operations);
        while (ended < 0) {
            Operation.awaitAny(endpoint(), operations);
            ended = firstEnded(operations);
        }
        return ended;
    }

    private static int firstEnded(List<Operation> operations) {
        for (int i = 0; i < operations.size(); i++) {
            if (operations.get(i).hasEnded()) {
                return i;
            }
        }
        return -1;
    }

    static void requireTag(String role, int tag, int least) {
        if (tag < least) {
            throw new IllegalArgumentException("the " + role + " " + tag + " of a message; expected one from 0 on"
                    + (least < 0 ? ", or ANY_TAG" : ""));
        }
    }
}
