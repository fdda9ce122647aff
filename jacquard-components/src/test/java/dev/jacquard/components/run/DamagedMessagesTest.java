package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.run.RankResults.Found;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Messages between ranks whose bytes are damaged: an error, and neither an endless loop nor memory for what is not
 * there.
 */
@Timeout(120)
class DamagedMessagesTest {
    private static final SocketType<Data> DATA = SocketType.data(DataType.INT64, 1);

    /**
     * Reads damaged bytes of a value: cut, with drawn bytes changed, and with lengths that are as large as can be.
     *
     * @return how often that was an error
     */
    private static <T> int damage(Codec<T> codec, byte[] bytes) {
        Random random = new Random(3);
        int errors = 0;
        for (int length = 0; length < bytes.length; length++) {
            errors += isRefused(codec, Arrays.copyOf(bytes, length)) ? 1 : 0;
        }
        for (int round = 0; round < 5_000; round++) {
            byte[] its = bytes.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                its[random.nextInt(its.length)] = (byte) random.nextInt();
            }
            errors += isRefused(codec, its) ? 1 : 0;
        }
        for (int at = 0; at + Integer.BYTES <= bytes.length; at++) {
            byte[] its = bytes.clone();
            ByteBuffer.wrap(its).putInt(at, Integer.MAX_VALUE);
            errors += isRefused(codec, its) ? 1 : 0;
        }
        return errors;
    }

    private static <T> boolean isRefused(Codec<T> codec, byte[] bytes) {
        try {
            Codecs.read(codec, bytes);
            return false; // what is left may be another value
        } catch (IOException | IllegalArgumentException e) { // as receives report it
            return true;
        }
    }

    @Test
    void findingsOfRanks() throws Exception {
        Map<Integer, Found> parts = new LinkedHashMap<>();
        parts.put(0, new Found(3, 1_000, Map.of("x", List.of(1, 2.5, "text")), List.of("a line"), List.of(8L, 0L)));
        parts.put(2, new Found(1, 5, null, List.of(), List.of()));
        parts.put(3, new Found(1, 5, new BigDecimal("1.25"), List.of(), List.of(1L)));
        RankResults results = new RankResults(parts, Map.of(1, new byte[16]));
        RankResults.OfRanks codec = new RankResults.OfRanks(4, 2);
        byte[] bytes = Codecs.write(codec, results);
        assertEquals(parts, Codecs.read(codec, bytes).parts());
        int errors = damage(codec, bytes);
        assertTrue(errors > bytes.length, "errors: " + errors);
        String message =
                String.valueOf(assertThrows(IOException.class, () -> Codecs.read(new RankResults.OfRanks(3, 2), bytes))
                        .getMessage());
        assertEquals("a component has the number 3, and the program has 3", message);
    }

    @Test
    void findingsThatAreNestedDeeply() throws Exception {
        Object finding = "end";
        for (int i = 0; i < 1_000; i++) {
            finding = List.of(finding);
        }
        assertEquals(finding, Codecs.read(Findings.CODEC, Codecs.write(Findings.CODEC, finding)));
        Object deeper = List.of(finding);
        assertThrows(IOException.class, () -> Codecs.write(Findings.CODEC, deeper));
        ByteBuffer bytes = ByteBuffer.allocate(5_000_000);
        while (bytes.hasRemaining()) {
            bytes.put((byte) 's').putInt(1);
        }
        assertThrows(IOException.class, () -> Codecs.read(Findings.CODEC, bytes.array()));
    }

    @Test
    void valuesOfSources() throws Exception {
        List<Source<?>> sources = List.of(
                Source.of("text", SocketType.of(String.class), "a text"),
                Source.of("numbers", SocketType.of(double[].class), "numbers"),
                Source.of("more", SocketType.listOf(SocketType.of(Long.class)), "numbers"),
                Source.of("data", DATA, "data"));
        try (Session session = Session.builder().workers(1).open()) {
            Data data = session.data().vector("data", DataType.INT64, 3);
            try (UserView view = session.data().open(data, Mode.WRITE)) {
                view.memory(data).setLong(0, 7);
            }
            Codec<PartMessage> codec = PartMessage.codec(sources, new SentData(session).codecs());
            PartMessage message =
                    new PartMessage(true, false, List.of("text", new double[] {1, 2}, List.of(1L, 2L), data));
            byte[] bytes = Codecs.write(codec, message);
            assertEquals("text", Codecs.read(codec, bytes).values().getFirst());
            int errors = damage(codec, bytes);
            assertTrue(errors > bytes.length, "errors: " + errors);
        }
    }
}
