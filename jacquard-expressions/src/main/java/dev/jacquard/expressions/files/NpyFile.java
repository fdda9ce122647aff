package dev.jacquard.expressions.files;

import dev.jacquard.base.codec.AtomicFile;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Loop.Range;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

/** An array of NumPy: the points of a field without ghosts, in C order, slowest dimension first (z, y, x). */
final class NpyFile {
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
        List<Long> extents = List.of((long) range.z1(), (long) range.y1(), (long) range.x1());
        String order = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "<" : ">";
        return new NpyHeader(order + (single ? "f4" : "f8"), false, extents.subList(3 - dimensions, 3)).bytes();
    }
}
