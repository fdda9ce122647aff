package dev.jacquard.engine.work;

import dev.jacquard.base.machine.Place;
import org.jspecify.annotations.Nullable;

/** A node that a graph may send to a place, and of which policies know how long it probably takes. */
public abstract class PlacedNode extends Node {
    /**
     * Nanoseconds. Written by the thread that makes the node ready, before it enters an order. Half a long's size:
     * seven digits are more than an average has.
     */
    private float expectedNanos;

    /** Null for the host's workers. Written before the node gets ready; constant until it is ready again. */
    private @Nullable Place place;

    /** For subclasses. */
    protected PlacedNode() {}

    @Override
    public final Place place() {
        Place where = place;
        return where == null ? Place.HOST : where;
    }

    /** For graphs: sends the node to {@code where}. Before the node gets ready. */
    public final void place(Place where) {
        place = where == Place.HOST ? null : where;
        sent(place != null);
    }

    @Override
    public final boolean isMain() {
        return place == Place.MAIN;
    }

    @Override
    public final long expectedNanos() {
        return (long) expectedNanos;
    }

    @Override
    public final void expect(long nanos) {
        expectedNanos = nanos;
    }
}
