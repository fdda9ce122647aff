package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.LongPredicate;

/**
 * A collective operation on one rank.
 *
 * <p>Threads: made by the thread that calls it, then confined to the one that runs it.
 */
final class Collective {
    static final byte BARRIER = 1;
    static final byte BROADCAST = 2;
    static final byte BROADCAST_VALUE = 3;
    static final byte REDUCE = 4;
    static final byte ALLREDUCE = 5;
    static final byte ALLREDUCE_BLOCKS = 6;
    static final byte SCAN = 7;
    static final byte GATHER = 8;
    static final byte ALLGATHER = 9;
    static final byte ALLGATHER_VALUES = 10;
    static final byte SCATTER = 11;
    static final byte ALLTOALL = 12;
    static final byte SPLIT = 13;

    private static final String[] NAMES = {
        "",
        "barrier",
        "broadcast",
        "broadcastValue",
        "reduce",
        "allreduce",
        "allreduceBlocks",
        "scan",
        "gather",
        "allgather",
        "allgatherValues",
        "scatter",
        "alltoall",
        "split"
    };

    private final RankCommunicator communicator;
    private final Channel channel;
    private final OpenCollectives open;
    private final byte code;
    private final Action action;
    private final int number;

    /** The work of an operation, by messages. */
    @FunctionalInterface
    interface Action {
        void run(Collective its) throws InterruptedException;
    }

    Collective(RankCommunicator communicator, Channel channel, OpenCollectives open, byte code, Action action) {
        this.communicator = communicator;
        this.channel = channel;
        this.open = open;
        this.code = code;
        this.action = action;
        this.number = open.begin();
    }

    /** Runs it on the calling thread. */
    void run() throws InterruptedException {
        try {
            requireNoneLeft();
            action.run(this);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) { // of a reduction of the user's, say
            throw failure(name() + " failed on rank " + communicator.rank() + ": " + e);
        } finally {
            open.end(number);
        }
    }

    /** Runs it on another thread. */
    Request start() {
        Operation operation =
                new Operation(communicator.endpoint(), new Operation.Subject(name(), communicator.name(), -1, -1, -2));
        communicator.endpoint().transport().execute(() -> {
            try {
                run();
                operation.end(null);
            } catch (InterruptedException e) {
                operation.fail(new CommunicationException(name() + " was interrupted", e));
            } catch (Throwable e) {
                operation.fail(e);
            }
        });
        return operation;
    }

    private String name() {
        return NAMES[code];
    }

    /** Throws if a message of an earlier operation is here: another rank has called a different one. */
    private void requireNoneLeft() {
        Envelope left = channel.olderThan(open.lowest());
        if (left != null) {
            throw failure("rank " + left.source() + " called " + NAMES[left.operation()] + " with "
                    + left.content() + " as collective operation " + left.tag() + communicator.where() + ", and rank "
                    + communicator.rank() + " called another one, and is at operation " + number + " (" + name()
                    + ") now: all ranks must call the same operations in the same order");
        }
    }

    Operation send(int to, Elements elements) {
        return sendAs(to, elements, elements.type());
    }

    /** Sends elements under the name of another type, which the receiver compares. */
    Operation sendAs(int to, Elements elements, ValueLayout type) {
        Envelope envelope = new Envelope(
                communicator.context() + 1,
                communicator.rank(),
                number,
                Envelope.kind(type),
                code,
                elements.byteSize());
        return communicator.post(to, envelope, elements, name());
    }

    static void awaitAll(List<Operation> operations) throws InterruptedException {
        Request.awaitAll(operations);
    }

    /** Receives elements of exactly that type and number. */
    void receive(int from, Elements into) throws InterruptedException {
        WholeReceive receive = new WholeReceive(
                from,
                number,
                communicator.operation(name(), from, -2),
                code,
                into,
                envelope -> envelope.operation() == code
                        && envelope.kind() == Envelope.kind(into.type())
                        && envelope.bytes() == into.byteSize());
        channel.post(receive);
        receive.operation.await();
        if (receive.bytes != null) {
            throw unequal(Objects.requireNonNull(receive.envelope), into);
        }
    }

    /**
     * Receives elements of a type, however many.
     *
     * @param fits true for numbers of bytes that can be right
     * @param expected for messages
     */
    MemorySegment receiveAll(int from, ValueLayout type, LongPredicate fits, Elements expected)
            throws InterruptedException {
        WholeReceive receive = new WholeReceive(from, number, communicator.operation(name(), from, -2), code);
        channel.post(receive);
        receive.operation.await();
        Envelope envelope = Objects.requireNonNull(receive.envelope);
        if (envelope.operation() != code || envelope.kind() != Envelope.kind(type) || !fits.test(envelope.bytes())) {
            throw unequal(envelope, expected);
        }
        return Objects.requireNonNull(receive.bytes);
    }

    private CommunicationException unequal(Envelope envelope, Elements expected) {
        return failure(
                "rank " + envelope.source() + " called " + NAMES[envelope.operation()] + " with " + envelope.content()
                        + ", and rank " + communicator.rank() + " called " + name() + " with " + expected
                        + ", as collective operation " + number + communicator.where()
                        + ": all ranks must call the same operations, with elements that fit, in the same order");
    }

    /** Throws unless two parts on this rank fit. */
    void requireSame(Elements sent, Elements into) {
        if (sent.type() != into.type() || sent.count() != into.count()) {
            throw failure("rank " + communicator.rank() + " sends itself " + sent + " in " + name() + ", and receives "
                    + into + communicator.where() + ": expected the same");
        }
    }

    /** Throws unless a part on this rank fits into the rest of all. */
    void requireFit(Elements part, Elements all, long rest) {
        if ((part.type() != all.type() && part.count() > 0) || part.count() > rest) {
            throw failure("rank " + communicator.rank() + " gives " + part + " to " + name() + ", and gathers into "
                    + all + ", of which " + rest + " are left" + communicator.where());
        }
    }

    /**
     * Sends an error to all other ranks, also if one arrives here: two ranks that fail at once must not miss a third.
     */
    private void sendAlarms(byte[] text) {
        Envelope alarm = new Envelope(
                communicator.context() + 1, communicator.rank(), number, Envelope.ALARM, code, text.length);
        for (int to = 0; to < communicator.size(); to++) {
            if (to != communicator.rank()) {
                communicator.post(to, alarm, Elements.of(text), name());
            }
        }
    }

    /** Returns an error, which ends the waits of other ranks in collective operations here. */
    CommunicationException failure(String text) {
        if (channel.broken() == null) {
            sendAlarms(text.getBytes(StandardCharsets.UTF_8));
        }
        CommunicationException failure = new CommunicationException(text);
        channel.fail(failure);
        return failure;
    }
}
