package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * All of some data but its elements, as a checkpoint has it.
 *
 * @param name of the data
 * @param elements their type
 * @param extents how many in each dimension
 * @param home the kind of memory that it lies in
 * @param isWritten false if it has no elements yet, which memory of the engine's may have none of
 * @param first of an aligned layout: the ghosts at each end of a row; else -1
 * @param shift of an aligned layout
 */
record DataHead(String name, DataType elements, long[] extents, Home home, boolean isWritten, long first, long shift) {
    static final Codec<DataHead> CODEC = new OfHeads();

    /** A kind of memory. */
    enum Home {
        /** The engine's. */
        NONE,
        /** An array. */
        HEAP,
        /** Memory off the heap. */
        NATIVE
    }

    /** Returns that of some data. */
    static DataHead of(Data data, boolean isWritten) {
        Layout layout = data.layout();
        MemorySegment home = data.home();
        Home kind = home == null ? Home.NONE : home.heapBase().isPresent() ? Home.HEAP : Home.NATIVE;
        int vector = Layout.ALIGNMENT / layout.type().bytes();
        long[] extents = data.box().extents();
        long shift = layout.lead() / vector;
        long first = layout.isAligned() ? first(layout, extents, shift, vector) : -1;
        return new DataHead(data.name(), layout.type(), extents, kind, isWritten, first, shift);
    }

    /** Finds the ghosts with which an aligned layout is this one: their number modulo a vector is known. */
    private static long first(Layout layout, long[] extents, long shift, int vector) {
        long first = Math.floorMod(-layout.lead(), vector);
        while (!Layout.aligned(layout.type(), first, shift, extents).equals(layout)) {
            first += vector;
            if (first > layout.bytes()) {
                throw new IllegalStateException("its layout is aligned in a way that is not known here: " + layout);
            }
        }
        return first;
    }

    /**
     * Returns the layout of the data: without gaps, unless it is aligned.
     *
     * @throws IOException if there is none
     */
    Layout layout() throws IOException {
        try {
            if (first >= 0 && home != Home.NONE) {
                throw new IllegalArgumentException("only memory of the engine's is aligned");
            }
            return first < 0 ? Layout.of(elements, extents) : Layout.aligned(elements, first, shift, extents);
        } catch (IllegalArgumentException e) {
            throw new IOException("data \"" + name + "\" cannot be made: " + e.getMessage(), e);
        }
    }

    /** Returns memory of the user's for the data, with anything in it; null if it lies in the engine's. */
    @Nullable
    MemorySegment memory(Layout layout) {
        return switch (home) {
            case NONE -> null;
            case HEAP -> array(Math.toIntExact(layout.elements()));
            case NATIVE -> Arena.ofAuto().allocate(layout.bytes(), Layout.ALIGNMENT);
        };
    }

    private MemorySegment array(int length) {
        return switch (elements) {
            case INT8 -> MemorySegment.ofArray(new byte[length]);
            case INT32 -> MemorySegment.ofArray(new int[length]);
            case INT64 -> MemorySegment.ofArray(new long[length]);
            case FLOAT32 -> MemorySegment.ofArray(new float[length]);
            case FLOAT64 -> MemorySegment.ofArray(new double[length]);
        };
    }

    /** Writes heads, each with the byte order of the elements, which is the machine's. */
    private static final class OfHeads implements Codec<DataHead> {
        private static final Codec<String> TEXT = Codecs.standard().of(String.class);
        private static final Codec<DataType> TYPE = Codecs.standard().of(DataType.class);
        private static final Codec<Home> HOME = Codecs.standard().of(Home.class);
        private static final Codec<long[]> LONGS = Codecs.standard().of(long[].class);

        @Override
        public Class<DataHead> type() {
            return DataHead.class;
        }

        @Override
        public void write(DataHead head, Output to) throws IOException {
            TEXT.write(ByteOrder.nativeOrder().toString(), to);
            TEXT.write(head.name, to);
            TYPE.write(head.elements, to);
            LONGS.write(head.extents, to);
            HOME.write(head.home, to);
            to.writeBoolean(head.isWritten);
            to.writeLong(head.first);
            to.writeLong(head.shift);
        }

        @Override
        public DataHead read(Input from) throws IOException {
            String order = TEXT.read(from);
            String name = TEXT.read(from);
            if (!order.equals(ByteOrder.nativeOrder().toString())) {
                throw new IOException("data \"" + name + "\" was saved on a machine with the byte order " + order
                        + ", and this one has " + ByteOrder.nativeOrder());
            }
            return new DataHead(
                    name,
                    TYPE.read(from),
                    LONGS.read(from),
                    HOME.read(from),
                    from.readBoolean(),
                    from.readLong(),
                    from.readLong());
        }
    }
}
