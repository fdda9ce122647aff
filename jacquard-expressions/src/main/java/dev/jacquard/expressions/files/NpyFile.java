package dev.jacquard.expressions.files;

import dev.jacquard.base.codec.AtomicFile;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Loop.Range;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * An array of NumPy: the points of a field without ghosts, in C order, slowest dimension first (z, y, x).
 *
 * <p>Source: NumPy's documentation of {@code numpy.lib.format}, version 1.0.
 */
final class NpyFile {
    private static final int ALIGNMENT = 64;

    /** The digits that NumPy keeps free for an array that grows along its first dimension. */
    private static final int ROOM = 21;

    private NpyFile() {}

    static void write(FieldMemory values, Path file) throws IOException {
        Grid grid = values.field().grid();
        Range range = grid.interior(values.field().centring());
        try (AtomicFile out = AtomicFile.create(file)) {
            out.write(MemorySegment.ofArray(header(grid.dimensions(), range, values.isSingle())));
            values.rows(range, out::write);
            out.commit();
        }
    }

    static byte[] header(int dimensions, Range range, boolean single) {
        String[] extents = {"" + range.z1(), "" + range.y1(), "" + range.x1()};
        String first = extents[extents.length - dimensions];
        String shape = switch (dimensions) {
            case 1 -> first + ",";
            case 2 -> first + ", " + extents[2];
            default -> String.join(", ", extents);
        };
        String order = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "<" : ">";
        String text = "{'descr': '" + order + (single ? "f4" : "f8") + "', 'fortran_order': False, 'shape': (" + shape
                + "), }" + " ".repeat(ROOM - first.length());
        int before = 10;
        int length = Math.ceilDiv(before + text.length() + 1, ALIGNMENT) * ALIGNMENT - before;
        byte[] bytes = new byte[before + length];
        byte[] magic = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) length, (byte) (length >> 8)};
        System.arraycopy(magic, 0, bytes, 0, before);
        String padded = text + " ".repeat(length - 1 - text.length()) + "\n";
        System.arraycopy(padded.getBytes(StandardCharsets.US_ASCII), 0, bytes, before, length);
        return bytes;
    }
}
