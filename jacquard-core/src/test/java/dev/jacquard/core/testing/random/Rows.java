package dev.jacquard.core.testing.random;

import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;

/** The rows of all of some aligned data on the host. */
final class Rows {
    /** Behind the rows. */
    private static final byte PADDING = 0x5B;

    private Rows() {}

    /** Throws unless each row begins on a boundary, and the memory reaches to the end of its block. */
    static void require(Store store, Memory memory) {
        Layout layout = store.layout().within(store.shape());
        if (!memory.layout().equals(layout) || memory.segment().byteSize() != layout.bytes()) {
            throw new IllegalStateException("s" + store.number() + " lies as " + memory.layout() + " in "
                    + memory.segment().byteSize() + " bytes, not as " + layout);
        }
        int row = (int) layout.extent(layout.dimensions() - 1);
        long first = store.aligned() == null ? 0 : store.aligned().first();
        for (int i = 0; i < store.cells(); i += row) {
            long at = memory.segment().address()
                    + (Operand.at(layout, i) + first) * layout.type().bytes();
            if (at % Layout.ALIGNMENT != 0) {
                throw new IllegalStateException(
                        "row " + i / row + " of s" + store.number() + " has its first element at address " + at);
            }
        }
    }

    /** Writes the padding behind each row, as a loop of whole vectors may. */
    static void scribble(Memory memory) {
        Layout layout = memory.layout();
        int size = layout.type().bytes();
        int row = (int) layout.extent(layout.dimensions() - 1);
        int cells = (int) layout.elements();
        for (int i = 0; i < cells; i += row) {
            long end = (Operand.at(layout, i) + row) * size;
            long next = i + row < cells
                    ? Operand.at(layout, i + row) * size
                    : memory.segment().byteSize();
            memory.segment().asSlice(end, next - end).fill(PADDING);
        }
    }
}
