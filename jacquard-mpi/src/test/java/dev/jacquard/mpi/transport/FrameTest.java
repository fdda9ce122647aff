package dev.jacquard.mpi.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.cluster.message.Envelope;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Heads are read as they were written. */
class FrameTest {
    @Test
    void anyEnvelopeComesBack() {
        MemorySegment memory = MemorySegment.ofArray(new byte[Frame.HEAD]);
        for (Envelope envelope : new Envelope[] {
            new Envelope(0, 0, 0, (byte) 'D', (byte) 0, 0),
            new Envelope(Long.MIN_VALUE + 1, Integer.MAX_VALUE, Integer.MAX_VALUE, Envelope.ALARM, (byte) 13, 1L << 40),
            new Envelope(0x0123456789abcdefL, 70_000, 5, Envelope.VALUE, (byte) -1, Long.MAX_VALUE)
        }) {
            Frame.write(memory, Frame.IN_CHUNKS, 123_456, 1 << 30, envelope);
            assertEquals(envelope, Frame.envelope(memory));
            assertEquals(Frame.IN_CHUNKS, Frame.form(memory));
            assertEquals(123_456, Frame.sender(memory));
            assertEquals(1 << 30, Frame.contentTag(memory));
        }
    }
}
