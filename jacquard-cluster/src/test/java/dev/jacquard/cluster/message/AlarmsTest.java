package dev.jacquard.cluster.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Elements;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The errors of collective operations that ranks send each other. */
class AlarmsTest {
    private static final byte[] TEXT = "rank 3 failed, too".getBytes(StandardCharsets.UTF_8);

    /** Rank 0 of four. While it sends its first message, rank 3 fails as well. */
    private static final class OneRank implements Transport {
        private final List<Integer> receivers = new ArrayList<>();
        private @Nullable Endpoint endpoint;

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public int size() {
            return 4;
        }

        @Override
        public void attach(Endpoint its) {
            endpoint = its;
        }

        @Override
        public void send(int to, Envelope envelope, Elements elements, Payload.Completion then) {
            assertEquals(Envelope.ALARM, envelope.kind());
            receivers.add(to);
            then.end(null);
            Envelope alarm = new Envelope(1, 3, 0, Envelope.ALARM, Collective.GATHER, TEXT.length);
            Objects.requireNonNull(endpoint).deliver(alarm, new Text());
        }

        @Override
        public void progress() {}

        @Override
        public void await(Wait wait) {
            throw new AssertionError("nothing is waited for");
        }

        @Override
        public void execute(Runnable action) {
            throw new AssertionError("nothing is started");
        }

        @Override
        public AbortedException abort(int code, String reason) {
            throw new AssertionError("nothing ends all ranks");
        }

        @Override
        public OptionalLong handle() {
            return OptionalLong.empty();
        }

        @Override
        public OptionalLong handle(int[] ranks) {
            return OptionalLong.empty();
        }

        @Override
        public void free(long handle) {}
    }

    private static final class Text implements Payload {
        @Override
        public void receive(Elements into, Completion then) {
            into.memory().asByteBuffer().put(TEXT);
            then.end(null);
        }

        @Override
        public Payload keep() {
            return this;
        }

        @Override
        public void drop() {}
    }

    /** Two ranks that fail at once must not leave a third one to each other. */
    @Test
    void allRanksGetTheErrorEvenIfAnotherRankFailsAtOnce() {
        OneRank transport = new OneRank();
        RankCommunicator comm = RankCommunicator.world(new Endpoint(transport));
        CommunicationException failure = assertThrows(
                CommunicationException.class, () -> comm.gather(Elements.of(1.0), Elements.of(new int[4]), 0));
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.startsWith("rank 0 gives 1 double element to gather"), text);
        assertEquals(List.of(1, 2, 3), transport.receivers);
    }
}
