package dev.jacquard.memory.data;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A resource with elements in memory, of which there can be replicas in several memories: the engine sees to it that a
 * task finds the newest where it runs, and moves nothing that is there already.
 *
 * <p>It has a <em>home</em>, an array of the user's that host tasks use in place; or none, and then its memory is the
 * engine's, which makes it where and when it is first written. A home is up to date after a host task that reads it, or
 * {@code session.fetch}.
 *
 * <p>Threads: all is constant, but for {@link #directory}, which sees there.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3.
 */
public final class Data extends Resource {
    private final Layout layout;
    private final Box box;
    private final @Nullable MemorySegment home;
    /** True if the engine's host memory of all of it has gaps, as its layout says. */
    private final boolean padded;
    /** Written by users, at any time; read by the task that releases. */
    private volatile boolean kept;
    /** The directory of the replicas that the owner's coherence keeps. Written once, before the first task. */
    private @Nullable Object directory;
    /**
     * Written by the one thread, or its task, that gives back the memory, and again when that could not be; read by
     * submissions.
     */
    private volatile boolean freed;

    /**
     * Data.
     *
     * @param name shown in messages, traces and drawings
     * @param owner the session; its tasks may access it
     * @param layout where the elements lie in the home
     * @param home an array of the user's, or null
     * @throws IllegalArgumentException when the home is smaller than the layout, or the layout is aligned, which only
     *     the engine's own memory is
     */
    public Data(String name, Object owner, Layout layout, @Nullable MemorySegment home) {
        super(name, owner);
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(layout, "layout");
        if (home != null && layout.isAligned()) {
            throw new IllegalArgumentException("data \"" + name + "\" of " + layout
                    + " is to use the user's array, and only the engine's memory is aligned: make it without an array,"
                    + " or with the layout of that array");
        }
        if (home != null && home.byteSize() < layout.bytes()) {
            throw new IllegalArgumentException("data \"" + name + "\" of " + layout + " needs " + layout.bytes()
                    + " bytes, and its array has " + home.byteSize());
        }
        this.layout = layout;
        this.box = layout.box();
        this.home = home;
        this.padded = home == null && !layout.isPacked();
        areas(layout.dimensions(), false);
    }

    /** Returns the places of the elements. */
    public Layout layout() {
        return layout;
    }

    /** All indices. */
    public Box box() {
        return box;
    }

    /** The user's memory; null when it is the engine's. */
    public @Nullable MemorySegment home() {
        return home;
    }

    /** For the engine: true if its host memory of all of this has gaps, as the layout says. */
    public boolean isPadded() {
        return padded;
    }

    /**
     * A part, which tasks may access in any order with others and with the whole.
     *
     * @throws IllegalArgumentException when it is not within the data
     */
    public View part(Box part) {
        Objects.requireNonNull(part, "part");
        if (part.dimensions() != box.dimensions() || !box.contains(part)) {
            throw new IllegalArgumentException("data \"" + name() + "\" has elements " + box + ", and no part " + part);
        }
        return new View(this, part);
    }

    /** Indices {@code from} to before {@code to} of the first dimension: elements of a vector, rows of a matrix. */
    public View rows(long from, long to) {
        long[] low = new long[box.dimensions()];
        long[] high = layout.box().extents();
        low[0] = from;
        high[0] = to;
        return part(Box.of(low, high));
    }

    /** A block of a matrix. */
    public View block(long row, long column, long rows, long columns) {
        return part(Box.of(new long[] {row, column}, new long[] {row + rows, column + columns}));
    }

    /** Returns true if its memory was given back, so that no task may access it any more. */
    public boolean isFreed() {
        return freed;
    }

    /** For the engine: its memory was given back, or could not be. */
    public void setFreed(boolean its) {
        freed = its;
    }

    /**
     * Keeps its contents when tasks release it ({@code graph.release}), to look at it, say; or not any more. May be
     * changed at any time.
     */
    public void keep(boolean its) {
        kept = its;
    }

    /** Returns true if its contents stay when tasks release it. */
    public boolean isKept() {
        return kept;
    }

    /** For the engine: the directory of the replicas, or null. */
    public @Nullable Object directory() {
        return directory;
    }

    /** For the engine. */
    public void directory(Object its) {
        directory = its;
    }

    @Override
    public boolean hasValue() {
        return true;
    }
}
