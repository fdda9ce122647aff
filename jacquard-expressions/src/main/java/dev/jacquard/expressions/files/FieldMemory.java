package dev.jacquard.expressions.files;

import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.loop.Binding.Place;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.DataType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The values of a field, in host memory while the user looks at them. Indices are the grid's. */
record FieldMemory(GridField field, Place place) {
    /** Takes a row of points. */
    @FunctionalInterface
    interface Row {
        void take(MemorySegment row) throws IOException;
    }

    boolean isSingle() {
        return field.grid().type() == DataType.FLOAT32;
    }

    /** Hands over the rows of these points, x fastest, z slowest. */
    void rows(Range range, Row row) throws IOException {
        int size = field.grid().type().bytes();
        for (int z = range.z0(); z < range.z1(); z++) {
            for (int y = range.y0(); y < range.y1(); y++) {
                row.take(place.segment().asSlice(offset(range.x0(), y, z), (long) (range.x1() - range.x0()) * size));
            }
        }
    }

    /** Returns the bytes of these points. */
    long bytes(Range range) {
        return range.points() * field.grid().type().bytes();
    }

    double at(int x, int y, int z) {
        return isSingle()
                ? place.segment().get(ValueLayout.JAVA_FLOAT_UNALIGNED, offset(x, y, z))
                : place.segment().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset(x, y, z));
    }

    private long offset(int x, int y, int z) {
        return place.start() + (long) x * field.grid().type().bytes() + y * place.strideY() + z * place.strideZ();
    }
}
