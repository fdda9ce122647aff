package dev.jacquard.components.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SocketTypeTest {
    private static final SocketType<Data> DOUBLES = SocketType.data(DataType.FLOAT64);
    private static final SocketType<Data> MATRIX = SocketType.data(DataType.FLOAT64, 2);
    private static final SocketType<Data> VECTOR = SocketType.data(DataType.FLOAT64, 1);
    private static final SocketType<Data> FLOATS = SocketType.data(DataType.FLOAT32, 2);

    @Test
    void classesFitTheirSupertypesAndArgumentsTheirEquals() {
        SocketType<Double> number = SocketType.of(Double.class);
        assertTrue(number.fits(SocketType.of(Number.class)));
        assertFalse(SocketType.of(Number.class).fits(number));
        assertEquals(number, SocketType.of(double.class));
        SocketType<List<Double>> numbers = SocketType.listOf(number);
        assertTrue(numbers.fits(SocketType.listOf(SocketType.of(Double.class))));
        assertFalse(numbers.fits(SocketType.listOf(SocketType.of(Number.class))));
        assertFalse(numbers.fits(SocketType.mapOf(number, number)));
        assertEquals(
                "Map<String, List<Double>>",
                SocketType.mapOf(SocketType.of(String.class), numbers).toString());
        assertThrows(IllegalArgumentException.class, () -> SocketType.of(List.class));
        assertThrows(IllegalArgumentException.class, () -> SocketType.of(Map.class, number));
        assertThrows(IllegalArgumentException.class, () -> SocketType.of(Data.class));
        assertThrows(IllegalArgumentException.class, () -> SocketType.data(DataType.FLOAT64, 0));
    }

    @Test
    void dataFitsByElementsAndDimensions() {
        assertTrue(MATRIX.fits(DOUBLES));
        assertTrue(MATRIX.fits(MATRIX));
        assertFalse(DOUBLES.fits(MATRIX));
        assertFalse(VECTOR.fits(MATRIX));
        assertFalse(FLOATS.fits(MATRIX));
        assertFalse(FLOATS.fits(DOUBLES));
        assertEquals("Data<double, 2>", MATRIX.toString());
        assertEquals("Data<double>", DOUBLES.toString());
        try (Session session = Session.builder().workers(1).open()) {
            Data matrix = session.data().matrix("m", new double[6], 2, 3);
            Data floats = session.data().matrix("f", new float[6], 2, 3);
            assertTrue(MATRIX.takes(matrix));
            assertTrue(DOUBLES.takes(matrix));
            assertFalse(VECTOR.takes(matrix));
            assertFalse(MATRIX.takes(floats));
            assertFalse(MATRIX.takes("m"));
        }
    }
}
