package dev.jacquard.components.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Mode;
import dev.jacquard.components.component.SocketType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CodecsTest {
    /** A record of much. */
    public record Point(double x, int[] counts, List<String> names, Map<String, Mode> modes, Inner inner) {}

    /** A record in it. */
    public record Inner(long number, boolean flag) {}

    /** Refers to itself. */
    public record Node(Node next) {}

    private static final SocketType<Point> POINT = SocketType.of(Point.class);

    @Test
    void valuesComeBack() throws IOException {
        for (Object value :
                List.of(1, 2L, (short) 3, (byte) 4, 'x', true, 1.5f, -0.0, Double.NaN, "ä".repeat(70_000))) {
            assertEquals(value, copied(value));
        }
        assertArrayEquals(new double[] {1, -0.0, Double.NaN}, copied(new double[] {1, -0.0, Double.NaN}));
        assertArrayEquals(new byte[300], copied(new byte[300]));
        SocketType<Map<String, List<Integer>>> lists =
                SocketType.mapOf(SocketType.of(String.class), SocketType.listOf(SocketType.of(Integer.class)));
        Map<String, List<Integer>> value = Map.of("a", List.of(1, 2), "b", List.of());
        assertEquals(value, Codecs.read(lists, Codecs.write(lists, value)));
        Point point = new Point(1.5, new int[] {1, 2}, List.of("a"), Map.of("m", Mode.SERIAL), new Inner(7, true));
        Point copy = Codecs.read(POINT, Codecs.write(POINT, point));
        assertArrayEquals(point.counts(), copy.counts());
        assertEquals(point.modes(), copy.modes());
        assertEquals(point.inner(), copy.inner());
    }

    @SuppressWarnings("unchecked")
    private static <T> T copied(T value) throws IOException {
        SocketType<T> type = SocketType.of((Class<T>) value.getClass());
        return Codecs.read(type, Codecs.write(type, value));
    }

    @Test
    void typesWithoutACodecAreNamed() {
        assertNull(Codecs.missing(POINT));
        for (Class<?> type : List.of(Object.class, Thread.class, Number.class, Node.class, String[].class)) {
            String missing = Codecs.missing(SocketType.of(type));
            assertNotNull(missing, type.getName());
            assertTrue(missing.startsWith("there is no codec for " + type.getName() + "; expected "), missing);
        }
    }

    /** A stored length allocates no more than there are bytes for. */
    @Test
    void whatIsNoValueIsRefused() throws IOException {
        SocketType<double[]> doubles = SocketType.of(double[].class);
        byte[] huge = ByteBuffer.allocate(12).putInt(Integer.MAX_VALUE).array();
        assertThrows(IOException.class, () -> Codecs.read(doubles, huge));
        assertThrows(IOException.class, () -> Codecs.read(SocketType.listOf(SocketType.of(Long.class)), huge));
        byte[] whole = Codecs.write(POINT, new Point(1, new int[3], List.of("b"), Map.of(), new Inner(1, false)));
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThrows(IOException.class, () -> Codecs.read(POINT, cut));
        }
        assertThrows(IOException.class, () -> Codecs.read(POINT, Arrays.copyOf(whole, whole.length + 1)));
    }
}
