package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.Elements;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A receive of all bytes of a message, whatever they are: into a place for them if they fit, else into new memory.
 *
 * <p>Threads: the fields are written by the thread that delivers the message, before the operation ends, and read after
 * that.
 */
final class WholeReceive extends Receive {
    private final @Nullable Elements place;
    private final Predicate<Envelope> fits;
    /** The collective operation; 0 for none. */
    private final byte code;

    @Nullable
    Envelope envelope;

    /** Null if the content is in its place. */
    @Nullable
    MemorySegment bytes;

    /** A receive into new memory. */
    WholeReceive(int from, int tag, Operation operation) {
        this(from, tag, operation, (byte) 0);
    }

    /**
     * A receive into new memory.
     *
     * @param code of a collective operation, whose number is the tag
     */
    WholeReceive(int from, int tag, Operation operation, byte code) {
        this(from, tag, operation, code, null, _ -> false);
    }

    /**
     * A receive.
     *
     * @param code of a collective operation, whose number is the tag
     * @param place the memory for a message that fits; null for none
     * @param fits true for a message that is to be received there
     */
    WholeReceive(
            int from, int tag, Operation operation, byte code, @Nullable Elements place, Predicate<Envelope> fits) {
        super(from, tag, operation);
        this.code = code;
        this.place = place;
        this.fits = fits;
    }

    @Override
    boolean excludes(Envelope its) {
        return code != 0 && its.tag() == tag && its.operation() != code;
    }

    @Override
    void refuse(Envelope its) {
        envelope = its;
        bytes = MemorySegment.NULL;
        operation.moves(ElementsReceive.status(its));
        operation.end(null);
    }

    @Override
    void take(Envelope its, Payload payload) {
        envelope = its;
        Elements into = place;
        if (into == null || !fits.test(its)) {
            MemorySegment memory = Buffers.allocate(its.bytes());
            bytes = memory;
            into = Elements.of(memory, ValueLayout.JAVA_BYTE);
        }
        operation.moves(ElementsReceive.status(its));
        payload.receive(into, operation);
    }
}
