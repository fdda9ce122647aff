package dev.jacquard.base.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Array;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodecsTest {
    /** A record of much. */
    public record Point(
            double x, int[] counts, List<String> names, Map<String, RoundingMode> modes, Inner inner, Inner[] more) {}

    /** A record in it. */
    public record Inner(long number, boolean flag) {}

    /** Nothing. */
    public record Empty() {}

    /** Has arrays of what has arguments. */
    public record Lists(List<Integer>[] lists) {}

    /** Refers to itself. */
    public record Node(Node[] next) {}

    /** Is seen by nothing else. */
    record Hidden(int x) {}

    private static final Codecs CODECS = Codecs.standard();
    private static final Codec<Point> POINT = CODECS.of(Point.class);
    private static final Point VALUE = new Point(
            1.5, new int[] {1, 2}, List.of("a"), Map.of("m", RoundingMode.DOWN), new Inner(7, true), new Inner[] {
                new Inner(8, false)
            });

    @TempDir
    Path folder;

    @SuppressWarnings("unchecked")
    private static <T> T copied(T value) throws IOException {
        Codec<T> codec = CODECS.of((Class<T>) value.getClass());
        return Codecs.read(codec, Codecs.write(codec, value));
    }

    @Test
    void valuesComeBack() throws IOException {
        for (Object value :
                List.of(1, 2L, (short) 3, (byte) 4, 'x', true, 1.5f, -0.0, Double.NaN, "ä".repeat(70_000))) {
            assertEquals(value, copied(value));
        }
        Codec<?> lists = CODECS.of(
                Map.class, List.of(CODECS.of(String.class), CODECS.of(List.class, List.of(CODECS.of(Integer.class)))));
        Map<String, List<Integer>> value = Map.of("a", List.of(1, 2), "b", List.of());
        Codec<Object> erased = ValueCodecs.erased(lists);
        assertEquals(value, Codecs.read(erased, Codecs.write(erased, value)));
        assertEquals(new Empty(), copied(new Empty()));
        Point copy = copied(VALUE);
        assertArrayEquals(VALUE.counts(), copy.counts());
        assertArrayEquals(VALUE.more(), copy.more());
        assertEquals(VALUE.modes(), copy.modes());
        assertEquals(VALUE.inner(), copy.inner());
    }

    @Test
    void codecsAreChangedWhereverTheyOccur() throws IOException {
        List<Class<?>> seen = new ArrayList<>();
        Codecs changed = CODECS.changed(codec -> {
            seen.add(codec.type());
            return codec;
        });
        Codec<Point> codec = changed.of(Point.class);
        assertEquals(
                VALUE.names(), Codecs.read(codec, Codecs.write(codec, VALUE)).names());
        assertEquals(
                List.of(
                        Double.class,
                        int[].class,
                        String.class,
                        List.class,
                        String.class,
                        RoundingMode.class,
                        Map.class,
                        Long.class,
                        Boolean.class,
                        Inner.class,
                        Long.class,
                        Boolean.class,
                        Inner.class,
                        Inner[].class,
                        Point.class),
                seen);
        seen.clear();
        changed.of(Lists.class);
        assertEquals(List.of(Integer.class, List.class, List[].class, Lists.class), seen);
    }

    @Test
    void listsAndMapsThatWereReadCanBeChanged() throws IOException {
        Point copy = copied(VALUE);
        copy.names().add("b");
        copy.modes().put("n", RoundingMode.UP);
        assertEquals(List.of("a", "b"), copy.names());
        assertEquals(2, copy.modes().size());
    }

    /** From none to more than are gathered in one piece, each bit. */
    @Test
    void arraysOfPrimitivesComeBack() throws IOException {
        Random random = new Random(1);
        for (int length : new int[] {0, 1, 3, 511, 512, 5_000, 300_000}) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertArrayEquals(bytes, copied(bytes));
            long[] longs = random.longs(length).toArray();
            assertArrayEquals(longs, copied(longs));
            int[] ints = random.ints(length).toArray();
            assertArrayEquals(ints, copied(ints));
            double[] doubles =
                    Arrays.stream(longs).mapToDouble(Double::longBitsToDouble).toArray();
            double[] copies = copied(doubles);
            assertArrayEquals(
                    Arrays.stream(doubles)
                            .mapToLong(Double::doubleToRawLongBits)
                            .toArray(),
                    Arrays.stream(copies).mapToLong(Double::doubleToRawLongBits).toArray());
            float[] floats = new float[length];
            short[] shorts = new short[length];
            char[] chars = new char[length];
            boolean[] flags = new boolean[length];
            for (int i = 0; i < length; i++) {
                floats[i] = ints[i];
                shorts[i] = (short) ints[i];
                chars[i] = (char) ints[i];
                flags[i] = ints[i] < 0;
            }
            assertArrayEquals(floats, copied(floats));
            assertArrayEquals(shorts, copied(shorts));
            assertArrayEquals(chars, copied(chars));
            assertArrayEquals(flags, copied(flags));
        }
    }

    @Test
    void elementsOfArraysAreLittleEndian() throws IOException {
        byte[] expected = {0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8};
        assertArrayEquals(expected, Codecs.write(CODECS.of(int[].class), new int[] {0x04030201, 0x08070605}));
    }

    @Test
    void arraysOfObjectsComeBack() throws IOException {
        @Nullable String[] texts = {"a", null, "", null};
        assertArrayEquals(texts, copied(texts));
        assertArrayEquals(new String[0], copied(new String[0]));
        double[][] rows = {{1, 2}, {}, {-0.0}};
        assertArrayEquals(rows, copied(rows));
        Integer[][][] boxes = {{{1}, {2, 3}}, {}};
        assertArrayEquals(boxes, copied(boxes));
        RoundingMode[] constants = {RoundingMode.UP, RoundingMode.HALF_EVEN};
        assertArrayEquals(constants, copied(constants));
        @SuppressWarnings("unchecked")
        List<Integer>[] lists = (List<Integer>[]) new List<?>[] {List.of(1), List.of()};
        assertArrayEquals(lists, copied(new Lists(lists)).lists());
        assertEquals(3, copied(new Empty[3]).length);
    }

    @Test
    void typesWithoutACodecAreNamed() {
        for (Class<?> type : List.of(Object.class, Thread.class, Number.class, Node.class, Hidden.class, List.class)) {
            for (Class<?> asked : List.of(type, type.arrayType())) {
                IllegalArgumentException missing =
                        assertThrows(IllegalArgumentException.class, () -> CODECS.of(asked), asked.getName());
                String message = String.valueOf(missing.getMessage());
                assertTrue(message.startsWith("there is no codec for " + type.getName() + "; expected "), message);
            }
        }
    }

    /** A stored length allocates no more than there are bytes for. */
    @Test
    void whatIsNoValueIsRefused() throws IOException {
        byte[] huge = ByteBuffer.allocate(12).putInt(Integer.MAX_VALUE).array();
        byte[] negative = ByteBuffer.allocate(12).putInt(-1).array();
        for (Class<?> type :
                List.of(double[].class, boolean[].class, String.class, String[].class, Empty[].class, long[][].class)) {
            assertThrows(IOException.class, () -> Codecs.read(CODECS.of(type), huge), type.getName());
            assertThrows(IOException.class, () -> Codecs.read(CODECS.of(type), negative), type.getName());
        }
        Codec<?> list = CODECS.of(List.class, List.of(CODECS.of(Empty.class)));
        assertThrows(IOException.class, () -> Codecs.read(list, huge));
        byte[] whole = Codecs.write(POINT, VALUE);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThrows(IOException.class, () -> Codecs.read(POINT, cut), "cut off at " + length);
        }
        assertThrows(IOException.class, () -> Codecs.read(POINT, Arrays.copyOf(whole, whole.length + 1)));
    }

    @Test
    void elementsWithoutBytesAreCounted() throws IOException {
        Codec<Object> list = ValueCodecs.erased(CODECS.of(List.class, List.of(CODECS.of(Empty.class))));
        List<Empty> values = Collections.nCopies(5, new Empty());
        assertEquals(values, Codecs.read(list, Codecs.write(list, values)));
    }

    @Test
    void nullsAreRefusedButInArrays() {
        Codec<Object> list = ValueCodecs.erased(CODECS.of(List.class, List.of(CODECS.of(String.class))));
        List<@Nullable String> values = new ArrayList<>();
        values.add(null);
        IOException refused = assertThrows(IOException.class, () -> Codecs.write(list, values));
        assertEquals("an element of a list is null; only elements of arrays may be", refused.getMessage());
    }

    /** A codec of one's own is used wherever its values occur, and comes before all others. */
    @Test
    void codecsAreAdded() throws IOException {
        Inner one = new Inner(1, true);
        Codecs more = CODECS.with(new Form<>(Inner.class, (value, to) -> to.writeByte(9), from -> {
            assertEquals(9, from.readByte());
            return one;
        }));
        Codec<Point> points = more.of(Point.class);
        Point copy = Codecs.read(points, Codecs.write(points, VALUE));
        assertSame(one, copy.inner());
        assertSame(one, copy.more()[0]);
        assertEquals(VALUE.inner(), copied(VALUE).inner(), "the standard ones stay as they are");
    }

    /** Values that are larger than what is read and written at a time. */
    @Test
    void checkpointsHaveValues() throws IOException {
        Path file = folder.resolve("values");
        Codec<double[][]> rows = CODECS.of(double[][].class);
        double[][] value = new double[300][];
        Random random = new Random(3);
        for (int i = 0; i < value.length; i++) {
            value[i] = random.doubles(random.nextInt(3_000)).toArray();
        }
        try (CheckpointWriter out = CheckpointWriter.create(file, "values")) {
            out.writeValue("point", POINT, VALUE);
            out.writeValue("rows", rows, value);
            out.writeLong("last", 3);
            out.commit();
        }
        try (CheckpointReader in = CheckpointReader.open(file, "values")) {
            assertArrayEquals(value, in.readValue("rows", rows));
            assertEquals(VALUE.inner(), in.readValue("point", POINT).inner());
            assertEquals(3, in.readLong("last"));
            Codec<double[]> other = CODECS.of(double[].class);
            IOException refused = assertThrows(IOException.class, () -> in.readValue("rows", other));
            assertTrue(String.valueOf(refused.getMessage()).startsWith(file + " cannot be read: "), refused.toString());
        }
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length += 1 + whole.length / 50) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThrows(CheckpointReader.RefusedException.class, () -> CheckpointReader.open(file, "values"));
        }
    }

    @Test
    void whatCannotBeWrittenLeavesTheFileAsItWas() throws IOException {
        Path file = folder.resolve("values");
        Files.writeString(file, "before");
        Codec<Object> list = ValueCodecs.erased(CODECS.of(List.class, List.of(CODECS.of(String.class))));
        IOException refused = assertThrows(IOException.class, () -> {
            try (CheckpointWriter out = CheckpointWriter.create(file, "values")) {
                out.writeValue("list", list, Arrays.asList("a", null));
                out.commit();
            }
        });
        assertEquals(
                "entry \"list\" cannot be written to " + file
                        + ": an element of a list is null; only elements of arrays may be",
                refused.getMessage());
        assertEquals("before", Files.readString(file));
    }

    @Test
    void anArrayIsOfItsElementsClass() throws IOException {
        Object copy = copied(new Inner[] {new Inner(1, true)});
        assertEquals(Inner[].class, copy.getClass());
        assertEquals(1, Array.getLength(copy));
    }
}
