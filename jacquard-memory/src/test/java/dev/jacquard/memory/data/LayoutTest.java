package dev.jacquard.memory.data;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class LayoutTest {
    private static final int MOST = 40;

    @Test
    void rowsMayBeApart() {
        Layout layout = Layout.strided(DataType.FLOAT64, new long[] {3, 4, 5}, 100, 12, 1);
        assertEquals((2 * 100 + 3 * 12 + 4 + 1) * 8, layout.bytes());
        assertEquals(2 * 100 + 12 + 3, layout.offset(2, 1, 3));
        assertFalse(layout.isPacked());
        assertFalse(layout.isAligned());
        assertEquals(Layout.of(DataType.INT32, 3, 4), Layout.strided(DataType.INT32, new long[] {3, 4}, 4, 1));
        assertEquals(Layout.matrix(DataType.INT32, 3, 4, 9), Layout.strided(DataType.INT32, new long[] {3, 4}, 9, 1));
        refusesStrides("3 strides, of which the last is 1", 100, 12, 2);
        refusesStrides("3 strides", 12, 1);
        refusesStrides("dimension 1 is at least 5", 100, 4, 1);
        refusesStrides("dimension 0 is at least 48", 47, 12, 1);
        refusesStrides("dimension 0 is at least 48", -100, 12, 1);
        refusesStrides("more bytes than can be counted", Long.MAX_VALUE / 2, 12, 1);
        refused(() -> Layout.matrix(DataType.FLOAT64, 3, 4, Long.MAX_VALUE / 2), "[3, 4]", "can be counted");
    }

    private static void refusesStrides(String mentions, long... strides) {
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Layout.strided(DataType.FLOAT64, new long[] {3, 4, 5}, strides)),
                mentions);
    }

    /** The rows of a slab end with their padding, and the last one has as much room behind it as that of all. */
    @Test
    void slabsOfAlignedDataAreForWholeVectors() {
        Layout all = Layout.aligned(DataType.FLOAT64, 1, 5, 6, 4, 11);
        Layout slab = all.within(Box.of(new long[] {2, 0, 0}, new long[] {4, 4, 11}));
        assertTrue(slab.isAligned());
        assertEquals(0, slab.lead());
        assertEquals(all.stride(0), slab.stride(0));
        assertTrue(all.byteOffset(Box.of(new long[] {4, 0, 0}, new long[] {6, 4, 11})) + slab.bytes()
                <= all.bytes() - all.lead() * 8);
        assertFalse(
                all.within(Box.of(new long[] {2, 0, 0}, new long[] {4, 3, 11})).isAligned());
        assertFalse(
                all.within(Box.of(new long[] {2, 0, 1}, new long[] {4, 4, 11})).isAligned());
        Layout row = Layout.aligned(DataType.FLOAT64, 1, 0, 20);
        assertFalse(row.within(Box.of(new long[] {2}, new long[] {9})).isAligned());
        assertEquals(
                row.bytes() - 8 * row.lead(),
                row.within(Box.of(new long[] {0}, new long[] {20})).bytes());
    }

    @Test
    void rowsOfAlignedDataAreForWholeVectors() {
        SplittableRandom random = new SplittableRandom(7);
        for (DataType type : DataType.values()) {
            for (int i = 0; i < 400; i++) {
                long[] extents = random.longs(1 + random.nextInt(4), 1, MOST).toArray();
                long first = random.nextLong((extents[extents.length - 1] + 1) / 2);
                requireVectors(type, first, random.nextLong(64), extents);
            }
        }
    }

    private static void requireVectors(DataType type, long first, long shift, long[] extents) {
        String what = type + " " + first + " " + shift + " " + Arrays.toString(extents);
        Layout layout = Layout.aligned(type, first, shift, extents);
        long row = extents[extents.length - 1];
        long vector = 64 / type.bytes();
        long rows = layout.elements() / row;
        long pitch = pitch(layout, vector);
        assertEquals(0, layout.bytes() % type.bytes(), what);
        assertEquals(shift, layout.lead() / vector, what);
        for (long r = 0; r < rows; r++) {
            long begin = layout.lead() + layout.offset(indices(layout, r));
            assertEquals(layout.lead() + r * pitch, begin, what);
            assertEquals(0, (begin + first) % vector, what);
        }
        long covered = first + Math.ceilDiv(row - 2 * first, vector) * vector;
        assertTrue(pitch >= row && pitch >= covered && pitch < Math.max(row, covered) + vector, what);
        assertTrue(layout.lead() + rows * pitch - 1 + vector < layout.bytes() / type.bytes(), what);
        assertFalse(layout.isPacked(), what);
    }

    /** Elements from row to row, also where there is one row: then as much is behind it. */
    private static long pitch(Layout layout, long vector) {
        int last = layout.dimensions() - 1;
        long shift = layout.lead() / vector;
        long left = shift == 0 ? 0 : (63 - shift) * vector; // blocks of all shifts but 0 have one size
        long tail =
                layout.bytes() / layout.type().bytes() - layout.lead() - layout.offset(lastIndices(layout)) - 1 - left;
        long pitch = tail - vector + layout.extent(last);
        assertTrue(last == 0 || layout.stride(last - 1) == pitch);
        return pitch;
    }

    private static long[] lastIndices(Layout layout) {
        return Arrays.stream(layout.box().extents()).map(extent -> extent - 1).toArray();
    }

    /** The indices of the first element of a row. */
    private static long[] indices(Layout layout, long row) {
        long[] indices = new long[layout.dimensions()];
        long left = row;
        for (int d = indices.length - 2; d >= 0; d--) {
            indices[d] = left % layout.extent(d);
            left /= layout.extent(d);
        }
        return indices;
    }

    @Test
    void numbersOfAnExample() {
        Layout layout = Layout.aligned(DataType.FLOAT64, 2, 1, 3, 20);
        assertEquals(14, layout.lead());
        assertEquals(24, layout.stride(0));
        assertEquals(1, layout.stride(1));
        assertEquals(25, layout.offset(1, 1));
        assertEquals(200, layout.byteOffset(Box.of(new long[] {1, 1}, new long[] {2, 2})));
        assertEquals((14 + 3 * 24 + 8 + 62 * 8) * 8, layout.bytes());
        assertEquals(
                layout.bytes(), Layout.aligned(DataType.FLOAT64, 2, 63, 3, 20).bytes());
        assertEquals(
                "float64 x 3 x 20, aligned, with 14 elements before the first and 508 after the last", "" + layout);
    }

    @Test
    void allOfItIsWithoutTheLeadAndAPartWithoutTheTail() {
        Layout layout = Layout.aligned(DataType.FLOAT32, 1, 0, 4, 10);
        Layout all = layout.within(layout.box());
        assertEquals(15, layout.lead());
        assertEquals(0, all.lead());
        assertEquals(layout.bytes() - 60, all.bytes());
        assertEquals(layout.stride(0), all.stride(0));
        assertFalse(all.isPacked());
        assertEquals(all, all.within(all.box()));
        Layout part = layout.within(Box.of(new long[] {1, 2}, new long[] {4, 10}));
        assertEquals(Layout.matrix(DataType.FLOAT32, 3, 8, layout.stride(0)), part);
        assertEquals(Layout.of(DataType.FLOAT32, 4, 10), layout.packed(layout.box()));
        try (Arena arena = Arena.ofConfined()) {
            Memory memory = new Memory(arena.allocate(layout.bytes(), 64).asSlice(60), all);
            memory.setFloat(3, 9, 7);
            assertEquals(
                    7,
                    memory.part(Box.of(new long[] {3, 8}, new long[] {4, 10})).getFloat(0, 1));
            assertEquals(all.bytes(), memory.part(all.box()).segment().byteSize());
        }
    }

    /** Elements of the part are free, and so is the padding of aligned rows; all others are refused by name. */
    @Test
    void aLayoutThatChecksKnowsWhichElementsThePartHas() {
        Data data = new Data("field", this, Layout.of(DataType.FLOAT64, 4, 5, 6), null);
        Box box = Box.of(new long[] {1, 1, 2}, new long[] {3, 4, 5});
        Layout plain = data.layout().within(box);
        Layout layout = plain.checkedFor(new View(data, box));
        assertEquals(plain, layout);
        try (Arena arena = Arena.ofConfined()) {
            Memory memory = new Memory(arena.allocate(layout.bytes(), 64), layout);
            HashSet<Long> own = new HashSet<>();
            for (long i = 0; i < 18; i++) {
                own.add(layout.offset(i / 9, i / 3 % 3, i % 3));
            }
            for (long index = -1; index <= layout.bytes() / 8; index++) {
                long at = index;
                if (own.contains(at)) {
                    memory.setDouble(at, 1);
                } else {
                    assertMentions(
                            assertThrows(IndexOutOfBoundsException.class, () -> memory.setDouble(at, 1)),
                            "index [" + at + "] is beyond the 2 x 3 x 3 elements of field" + box);
                }
            }
            Memory inside = memory.part(Box.of(new long[] {1, 0, 1}, new long[] {2, 2, 3}));
            assertMentions(
                    assertThrows(IndexOutOfBoundsException.class, () -> inside.getDouble(2)),
                    "the 1 x 2 x 2 elements of field[2 until 3, 1 until 3, 3 until 5]");
            Box beyond = Box.of(new long[] {1, 0, 1}, new long[] {2, 2, 4});
            assertMentions(
                    assertThrows(IndexOutOfBoundsException.class, () -> memory.part(beyond)),
                    "is not within the 2 x 3");
            Layout rows = Layout.aligned(DataType.FLOAT64, 0, 0, 2, 5);
            Data aligned = new Data("aligned", this, rows, null);
            Memory padded =
                    new Memory(arena.allocate(rows.bytes(), 64), rows.checkedFor(new View(aligned, aligned.box())));
            padded.setDouble(0, 7, 1);
            assertThrows(IndexOutOfBoundsException.class, () -> padded.setDouble(0, 8, 1));
        }
    }

    @Test
    void layoutsThatDifferInAnythingAreNotEqual() {
        List<Layout> all = List.of(
                Layout.aligned(DataType.FLOAT64, 0, 0, 4, 8),
                Layout.aligned(DataType.FLOAT64, 1, 0, 4, 8),
                Layout.aligned(DataType.FLOAT64, 0, 1, 4, 8),
                Layout.aligned(DataType.INT64, 0, 0, 4, 8),
                Layout.aligned(DataType.FLOAT64, 0, 0, 8, 8),
                Layout.aligned(DataType.FLOAT64, 0, 0, 32),
                Layout.of(DataType.FLOAT64, 4, 8),
                Layout.matrix(DataType.FLOAT64, 4, 8, 16));
        assertEquals(all.size(), new HashSet<>(all).size());
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertNotEquals(all.get(i), all.get(j));
            }
        }
        Layout same = Layout.aligned(DataType.FLOAT64, 1, 0, 4, 8);
        assertEquals(all.get(1), same);
        assertEquals(all.get(1).hashCode(), same.hashCode());
        assertNotEquals(all.get(0).toString(), same.toString());
    }

    @Test
    void gapsAreBetweenElements() {
        assertTrue(Layout.of(DataType.FLOAT64, 4, 8).isPacked());
        assertTrue(Layout.matrix(DataType.FLOAT64, 4, 8, 8).isPacked());
        assertTrue(Layout.matrix(DataType.FLOAT64, 1, 8, 9).isPacked());
        assertFalse(Layout.matrix(DataType.FLOAT64, 4, 8, 9).isPacked());
        assertFalse(Layout.matrix(DataType.FLOAT64, 4, 1, 2).isPacked());
        Layout field = Layout.of(DataType.FLOAT64, 2, 3, 4);
        assertTrue(
                field.within(Box.of(new long[] {1, 0, 0}, new long[] {2, 3, 4})).isPacked());
        assertFalse(
                field.within(Box.of(new long[] {0, 0, 0}, new long[] {2, 2, 4})).isPacked());
    }

    @Test
    void whatCannotBeAlignedIsRefused() {
        refused(() -> Layout.aligned(DataType.FLOAT64, -1, 0, 4, 8), "row of 8", "0 to 3", "-1");
        refused(() -> Layout.aligned(DataType.FLOAT64, 4, 0, 4, 8), "row of 8", "0 to 3", "not 4");
        refused(() -> Layout.aligned(DataType.FLOAT64, Long.MAX_VALUE, 0, 8), "0 to 3");
        refused(() -> Layout.aligned(DataType.FLOAT64, 0, -1, 8), "0 to 63", "-1");
        refused(() -> Layout.aligned(DataType.FLOAT64, 0, 64, 8), "0 to 63", "64");
        refused(() -> Layout.aligned(DataType.FLOAT64, 0, 0), "at least 1 element");
        refused(() -> Layout.aligned(DataType.FLOAT64, 0, 0, 0, 8), "at least 1 element");
        for (long[] extents : new long[][] {{Long.MAX_VALUE}, {Long.MAX_VALUE / 8}, {1L << 60, 1}, {1, 1L << 62, 1}}) {
            refused(() -> Layout.aligned(DataType.FLOAT64, 0, 63, extents), "" + extents[0], "can be counted");
        }
        refused(() -> Layout.aligned(DataType.INT8, 0, 63, Long.MAX_VALUE - 4_000), "can be counted");
    }

    @Test
    void theUsersArrayIsNotAligned() {
        Layout layout = Layout.aligned(DataType.FLOAT64, 1, 0, 4, 8);
        try (Arena arena = Arena.ofConfined()) {
            refused(
                    () -> new Data("x", this, layout, arena.allocate(layout.bytes(), 64)),
                    "\"x\"",
                    "only the engine's memory is aligned",
                    "without an array");
        }
    }

    private static void refused(Executable what, String... mentioned) {
        assertMentions(assertThrows(IllegalArgumentException.class, what), mentioned);
    }
}
