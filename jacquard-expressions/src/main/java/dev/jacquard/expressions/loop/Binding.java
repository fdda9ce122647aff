package dev.jacquard.expressions.loop;

import dev.jacquard.expressions.loop.Loop.Range;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * The memory that one loop works on: its inputs, then its outputs, and the constants of its body. Written when it is
 * made, so that any thread may use it that was handed it properly.
 */
public final class Binding {
    /**
     * A field in memory: elements along x lie next to each other.
     *
     * @param segment the memory
     * @param start the place of the point (0, 0, 0) in the segment, in bytes
     * @param strideY bytes from one row to the next
     * @param strideZ bytes from one plane to the next
     */
    public record Place(MemorySegment segment, long start, long strideY, long strideZ) {}

    private final Place[] places;
    private final double[] constants;
    /** For each input the bytes from a point to the first element along x that it reads, 0 or less. */
    private final long[] firsts;

    private final Reach reach;

    /**
     * Binds a body.
     *
     * @param body the body that runs
     * @param places of the inputs, in the body's order, then of the outputs
     * @throws IllegalArgumentException if there are more places, or fewer
     */
    public Binding(LoopBody body, List<Place> places) {
        this(body, checked(body, places), body.constants());
    }

    private static List<Place> checked(LoopBody body, List<Place> places) {
        int needed = body.inputs() + body.results().size();
        if (places.size() != needed) {
            throw new IllegalArgumentException("a body of " + body.inputs() + " inputs and "
                    + body.results().size() + " results is bound to " + needed + " fields, not " + places.size());
        }
        return places;
    }

    private Binding(Place[] places, double[] constants, long[] firsts, Reach reach) {
        this.places = places;
        this.constants = constants;
        this.firsts = firsts;
        this.reach = reach;
    }

    private Binding(LoopBody body, List<Place> places, double[] constants) {
        this.places = places.toArray(Place[]::new);
        this.constants = constants;
        this.firsts = new long[body.inputs()];
        Arrays.setAll(firsts, input -> (long) body.first(input) * body.type().bytes());
        this.reach = new Reach(body, this.places);
    }

    /**
     * Throws an exception unless all that a loop accesses is in memory off the heap, which this thread may access.
     *
     * @param range its points
     * @param vector the bytes that it computes at a time, the same in all calls: the last ones of a row may lie past
     *     its end
     * @throws IndexOutOfBoundsException if an element is outside of its memory
     * @throws IllegalStateException if memory was freed
     * @throws WrongThreadException if it is another thread's
     * @throws IllegalArgumentException if it is on the heap, or that of an output and read-only
     */
    public void requireInside(Range range, int vector) {
        reach.requireInside(range, vector);
    }

    /** Returns a binding of the same constants, for a part of the body, to other fields. */
    public Binding with(LoopBody part, List<Place> places) {
        return new Binding(part, places, constants);
    }

    /**
     * Returns a binding to the same memory, with points of some fields elsewhere in it.
     *
     * @param from the number of the first of these fields
     * @param starts the places of their points (0, 0, 0) in their segments, in bytes
     */
    public Binding moved(int from, long... starts) {
        Place[] others = places.clone();
        for (int i = 0; i < starts.length; i++) {
            Place old = others[from + i];
            others[from + i] = new Place(old.segment, starts[i], old.strideY, old.strideZ);
        }
        return new Binding(others, constants, firsts, reach.of(others));
    }

    /** Returns the place of a field. */
    public Place place(int field) {
        return places[field];
    }

    /** Returns the address of a field's memory; of no importance unless {@link #requireInside} has returned. */
    public long address(int field) {
        return reach.address(field);
    }

    /** Returns the bytes from a point to the first element along x of an input that it reads, 0 or less. */
    public long first(int input) {
        return firsts[input];
    }

    /**
     * Returns the points of a range as one long row per plane, which runs over the ghosts and the padding between its
     * rows: their values of the outputs are anything afterwards. To begin and to end a row costs a loop as much as tens
     * of points. Returns the range itself where the values would be others: the fields have rows of different lengths,
     * or the body asks for the indices of points.
     */
    public Range joined(LoopBody body, Range range) {
        int rows = range.y1() - range.y0();
        if (rows < 2 || !haveEqualRows() || body.hasIndices()) {
            return range;
        }
        long stride = places[0].strideY / body.type().bytes();
        long end = (rows - 1) * stride + range.x1();
        return end > Integer.MAX_VALUE
                ? range
                : new Range(range.x0(), (int) end, range.y0(), range.y0() + 1, range.z0(), range.z1());
    }

    private boolean haveEqualRows() {
        for (Place place : places) {
            if (place.strideY != places[0].strideY) {
                return false;
            }
        }
        return places[0].strideY > 0;
    }

    /** Returns the memory of a field. */
    public MemorySegment segment(int field) {
        return places[field].segment;
    }

    /** Returns the place of the point (0, 0, 0) of a field in its segment, in bytes. */
    public long start(int field) {
        return places[field].start;
    }

    /** Returns the bytes from one row of a field to the next. */
    public long strideY(int field) {
        return places[field].strideY;
    }

    /** Returns the bytes from one plane of a field to the next. */
    public long strideZ(int field) {
        return places[field].strideZ;
    }

    /** Returns a constant of the body. */
    public double constant(int slot) {
        return constants[slot];
    }

    /** Returns the place of a point of a field in its segment, in bytes, along y and z alone. */
    public long row(int field, int y, int z) {
        Place place = places[field];
        return place.start + y * place.strideY + z * place.strideZ;
    }
}
