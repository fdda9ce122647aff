package dev.jacquard.expressions.loop;

import dev.jacquard.expressions.loop.Binding.Place;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.expressions.loop.Value.Operator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The elements of its fields that a body accesses for a point, against the memory where these are.
 *
 * <p>Threads: any.
 */
final class Reach {
    /** No address: of memory on the heap, or memory that is to be written and cannot be. */
    private static final long NONE = -1;

    private final Place[] places;
    private final int inputs;
    private final int bytes;
    /** For each field the bytes from a point to the first element that is accessed for it, and to past the last. */
    private final long[] lowest;

    private final long[] highest;
    private final long[] addresses;
    private final long[] sizes;
    /**
     * A range with all its elements in the memory; null for none. Written by threads that have found so: one that reads
     * an older one looks again.
     */
    private @Nullable Range inside;

    /** @param places of the inputs, then of the outputs; not to be changed any more */
    Reach(LoopBody body, Place[] places) {
        this.places = places;
        this.inputs = body.inputs();
        this.bytes = body.type().bytes();
        this.lowest = new long[places.length];
        this.highest = new long[places.length];
        this.addresses = new long[places.length];
        this.sizes = new long[places.length];
        Arrays.fill(lowest, 0, inputs, Long.MAX_VALUE); // not read yet
        Arrays.fill(highest, 0, inputs, Long.MIN_VALUE);
        Arrays.fill(highest, inputs, places.length, bytes);
        for (int field = 0; field < places.length; field++) {
            MemorySegment segment = places[field].segment();
            boolean may = segment.isNative() && (field < inputs || !segment.isReadOnly());
            addresses[field] = may ? segment.address() : NONE;
            sizes[field] = segment.byteSize();
        }
        for (Value value : body.values()) {
            if (value.operator() == Operator.INPUT) {
                read(value.element());
            }
        }
    }

    private Reach(Reach other, Place[] places) {
        this.places = places;
        this.inputs = other.inputs;
        this.bytes = other.bytes;
        this.lowest = other.lowest;
        this.highest = other.highest;
        this.addresses = other.addresses;
        this.sizes = other.sizes;
    }

    /** Returns the same for fields that begin elsewhere in their memory. */
    Reach of(Place... others) {
        return new Reach(this, others);
    }

    private void read(Element element) {
        int field = element.input();
        Place place = places[field];
        long from = (long) element.dx() * bytes + element.dy() * place.strideY() + element.dz() * place.strideZ();
        lowest[field] = Math.min(lowest[field], from);
        highest[field] = Math.max(highest[field], from + bytes);
    }

    long address(int field) {
        return addresses[field];
    }

    /** As {@link Binding#requireInside} says. */
    void requireInside(Range range, int vector) {
        boolean isEmpty = range.x0() >= range.x1() || range.y0() >= range.y1() || range.z0() >= range.z1();
        if (!isEmpty && !range.equals(inside)) {
            for (int field = 0; field < places.length; field++) {
                if (lowest[field] <= highest[field]) {
                    requireInside(range, vector, field);
                }
            }
            inside = range;
        }
        for (int field = 0; field < places.length; field++) {
            MemorySegment segment = places[field].segment();
            if (addresses[field] == NONE
                    || !segment.isAccessibleBy(Thread.currentThread())
                    || !segment.scope().isAlive()) {
                throw inaccessible(field);
            }
        }
    }

    private void requireInside(Range range, int vector, int field) {
        Place place = places[field];
        long point =
                place.start() + (long) range.x0() * bytes + range.y0() * place.strideY() + range.z0() * place.strideZ();
        long row = ((long) range.x1() - range.x0()) * bytes;
        long alongX = Math.ceilDiv(row, vector) * vector - bytes;
        long alongY = (range.y1() - 1L - range.y0()) * place.strideY();
        long alongZ = (range.z1() - 1L - range.z0()) * place.strideZ();
        long first = point + Math.min(0, alongY) + Math.min(0, alongZ) + lowest[field];
        long behind = point + alongX + Math.max(0, alongY) + Math.max(0, alongZ) + highest[field];
        if (first < 0 || behind > sizes[field]) {
            throw new IndexOutOfBoundsException("a loop over " + range + " accesses bytes " + first + " to " + behind
                    + " of " + text(field) + ", which has " + sizes[field]);
        }
    }

    private RuntimeException inaccessible(int field) {
        MemorySegment segment = places[field].segment();
        if (addresses[field] == NONE) {
            return new IllegalArgumentException(
                    text(field) + " of a loop in lanes is " + (segment.isNative() ? "read-only" : "on the heap"));
        }
        return segment.scope().isAlive()
                ? new WrongThreadException(text(field) + " of a loop is in memory of another thread")
                : new IllegalStateException(text(field) + " of a loop is in memory that was freed");
    }

    private String text(int field) {
        return field < inputs ? "input " + field : "output " + (field - inputs);
    }
}
