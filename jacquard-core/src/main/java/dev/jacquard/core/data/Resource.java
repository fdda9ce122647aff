package dev.jacquard.core.data;

import org.jspecify.annotations.Nullable;

/**
 * An identity that accesses refer to. It need not hold data: a communicator, a message tag or a file are resources too.
 *
 * <p>Threads: the name is constant. {@link #tracker} belongs to the graph that owns the resource, see there.
 */
public class Resource {
    private final String name;
    private final Object owner;
    /**
     * What the owner's dependency inference knows about live accesses. Here and not in a map, since looking it up is on the
     * path of every submission. Written and read only by whoever submits to the owner.
     */
    private @Nullable Object tracker;

    /**
     * A resource.
     *
     * @param name shown in messages, traces and drawings
     * @param owner the session whose tasks may access it
     */
    public Resource(String name, Object owner) {
        this.name = name;
        this.owner = owner;
    }

    /** The name given at construction. */
    public final String name() {
        return name;
    }

    /** The session that this resource belongs to. */
    public final Object owner() {
        return owner;
    }

    /** For the engine: the tracker, or null before the first access. */
    public final @Nullable Object tracker() {
        return tracker;
    }

    /** For the engine: sets the tracker. */
    public final void tracker(Object tracker) {
        this.tracker = tracker;
    }

    @Override
    public String toString() {
        return name;
    }
}
