package dev.jacquard.expressions.tree;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parts of memory of the user's in which fields lie. Fields in one array may have rows in turn, or blocks next to
 * each other, and no element in common: tasks order themselves by fields, and would not know of it.
 *
 * <p>Threads: any, one at a time.
 */
final class UserMemory {
    private final Map<Data, Part> parts = new LinkedHashMap<>();

    /**
     * A field in a part of an array, or off the heap.
     *
     * @param rows the addresses of its rows, ascending as in any layout
     */
    record Part(String name, MemorySegment memory, long[] rows, long rowBytes) {
        static Part of(String name, Layout layout, MemorySegment memory) {
            int dimensions = layout.dimensions();
            long[] rows = new long[(int) (layout.elements() / layout.extent(dimensions - 1))];
            long[] index = new long[dimensions];
            for (int row = 0; row < rows.length; row++) {
                rows[row] =
                        memory.address() + layout.offset(index) * layout.type().bytes();
                for (int d = dimensions - 2; d >= 0 && ++index[d] == layout.extent(d); d--) {
                    index[d] = 0;
                }
            }
            long rowBytes = layout.extent(dimensions - 1) * layout.type().bytes();
            return new Part(name, memory, rows, rowBytes);
        }

        boolean meets(Part other) {
            // asked first: addresses in two arrays are not comparable, and memory that is read-only hides its array
            if (memory.asOverlappingSlice(other.memory).isEmpty()
                    || (memory.isReadOnly() && other.memory.isReadOnly())) {
                return false;
            }
            int mine = 0;
            int its = 0;
            while (mine < rows.length && its < other.rows.length) {
                if (rows[mine] + rowBytes <= other.rows[its]) {
                    mine++;
                } else if (other.rows[its] + other.rowBytes <= rows[mine]) {
                    its++;
                } else {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Returns the part of {@code memory} in which a field is to lie.
     *
     * @throws IllegalArgumentException if it has elements in common with one that was added before, and one of them may
     *     be written
     */
    Part apart(String name, Layout layout, MemorySegment memory) {
        parts.keySet().removeIf(Data::isFreed);
        Part part = Part.of(name, layout, memory);
        for (Part other : parts.values()) {
            if (part.meets(other)) {
                throw new IllegalArgumentException("field \"" + name + "\" would have elements in common with field \""
                        + other.name + "\", which lies in the same memory: give each its own memory, give both"
                        + " read-only memory, or call one of them by a second name, with FieldStore.alias");
            }
        }
        return part;
    }

    /** Notes that a field lies in a part, until its data is freed. */
    void add(Data data, Part part) {
        parts.put(data, part);
    }

    void clear() {
        parts.clear();
    }
}
