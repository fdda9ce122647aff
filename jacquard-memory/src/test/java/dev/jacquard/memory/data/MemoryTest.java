package dev.jacquard.memory.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The messages of accessors for an index beyond the memory of a part. */
class MemoryTest {
    private static Memory vector(DataType type) {
        return new Memory(MemorySegment.ofArray(new byte[4 * type.bytes()]), Layout.of(type, 4));
    }

    private static Memory matrix(DataType type) {
        return new Memory(MemorySegment.ofArray(new byte[12 * type.bytes()]), Layout.of(type, 3, 4));
    }

    private static IndexOutOfBoundsException assertBeyond(String message, Executable access) {
        IndexOutOfBoundsException beyond = assertThrows(IndexOutOfBoundsException.class, access);
        assertEquals(message, beyond.getMessage());
        return beyond;
    }

    private static String ofVector(long index, String type) {
        return "index [" + index + "] is beyond the 4 elements of this part, " + type + " x 4: indices count from the"
                + " part's first element, and go from [0] to [3]; checking mode, as under java -ea, names the data";
    }

    @Test
    void vectorsNameTheIndexAndTheRange() {
        Memory doubles = vector(DataType.FLOAT64);
        Memory floats = vector(DataType.FLOAT32);
        Memory longs = vector(DataType.INT64);
        Memory ints = vector(DataType.INT32);
        Memory bytes = vector(DataType.INT8);
        for (long index : List.of(-1L, 4L, Long.MAX_VALUE / 16)) {
            assertBeyond(ofVector(index, "float64"), () -> doubles.getDouble(index));
            assertBeyond(ofVector(index, "float64"), () -> doubles.setDouble(index, 1));
            assertBeyond(ofVector(index, "float32"), () -> floats.getFloat(index));
            assertBeyond(ofVector(index, "float32"), () -> floats.setFloat(index, 1));
            assertBeyond(ofVector(index, "int64"), () -> longs.getLong(index));
            assertBeyond(ofVector(index, "int64"), () -> longs.setLong(index, 1));
            assertBeyond(ofVector(index, "int32"), () -> ints.getInt(index));
            assertBeyond(ofVector(index, "int32"), () -> ints.setInt(index, 1));
            assertBeyond(ofVector(index, "int8"), () -> bytes.getByte(index));
            assertBeyond(ofVector(index, "int8"), () -> bytes.setByte(index, (byte) 1));
        }
    }

    @Test
    void additionsNameTheIndexAndTheRange() {
        Memory doubles = new Memory(MemorySegment.ofArray(new double[4]), Layout.of(DataType.FLOAT64, 4));
        Memory floats = new Memory(MemorySegment.ofArray(new float[4]), Layout.of(DataType.FLOAT32, 4));
        Memory longs = new Memory(MemorySegment.ofArray(new long[4]), Layout.of(DataType.INT64, 4));
        Memory ints = new Memory(MemorySegment.ofArray(new int[4]), Layout.of(DataType.INT32, 4));
        assertBeyond(ofVector(4, "float64"), () -> doubles.addDouble(4, 1));
        assertBeyond(ofVector(4, "float32"), () -> floats.addFloat(4, 1));
        assertBeyond(ofVector(4, "int64"), () -> longs.addLong(4, 1));
        assertBeyond(ofVector(4, "int32"), () -> ints.addInt(4, 1));
    }

    @Test
    void matricesNameBothIndices() {
        Memory doubles = matrix(DataType.FLOAT64);
        String message =
                "index [3, 1] is beyond the 3 x 4 elements of this part, float64 x 3 x 4: indices count from the"
                        + " part's first element, and go from [0, 0] to [2, 3]; checking mode, as under java -ea, names the data";
        IndexOutOfBoundsException beyond = assertBeyond(message, () -> doubles.getDouble(3, 1));
        assertInstanceOf(IndexOutOfBoundsException.class, beyond.getCause());
        assertBeyond(message, () -> doubles.setDouble(3, 1, 1));
        assertBeyond(
                message.replace("float64", "float32"),
                () -> matrix(DataType.FLOAT32).getFloat(3, 1));
        assertBeyond(
                message.replace("float64", "int64"),
                () -> matrix(DataType.INT64).getLong(3, 1));
        assertBeyond(
                message.replace("float64", "int32"),
                () -> matrix(DataType.INT32).setInt(3, 1, 1));
        assertBeyond(
                message.replace("float64", "int8"), () -> matrix(DataType.INT8).getByte(3, 1));
    }

    @Test
    void partsOfPartsNameTheirRange() {
        Memory doubles = matrix(DataType.FLOAT64);
        assertBeyond(
                "part [1 until 4, 0 until 4] is not within the 3 x 4 elements of this part, float64 x 3 x 4: indices"
                        + " count from its first element",
                () -> doubles.part(Box.of(new long[] {1, 0}, new long[] {4, 4})));
        assertEquals(
                4, doubles.part(Box.of(new long[] {1, 0}, new long[] {3, 4})).extent(1));
    }

    @Test
    void checkingModeNamesTheData() {
        Data data = new Data("x", this, Layout.of(DataType.FLOAT64, 8), null);
        Layout layout = Layout.of(DataType.FLOAT64, 4).checkedFor(data.rows(2, 6));
        Memory part = new Memory(MemorySegment.ofArray(new double[4]), layout);
        String message = "index [4] is beyond the 4 elements of x[2 until 6]: indices count from the part's first"
                + " element, and go from [0] to [3]";
        assertBeyond(message, () -> part.getDouble(4));
        assertBeyond(message, () -> part.setDouble(4, 1));
        assertBeyond(message, () -> part.addDouble(4, 1));
    }
}
