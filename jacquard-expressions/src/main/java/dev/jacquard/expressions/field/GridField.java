package dev.jacquard.expressions.field;

import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import java.lang.foreign.MemorySegment;

/**
 * Values at all points of one centring of a grid, ghosts included.
 *
 * @param name the name, for messages
 * @param grid the grid
 * @param centring where on the grid the points lie
 * @param data the values, which tasks access whole
 */
public record GridField(String name, Grid grid, Centring centring, Data data) {
    /** Returns the place of the values in host memory, as a task has it that accesses the data. */
    public Binding.Place place(Memory memory) {
        return place(memory, data.box());
    }

    /**
     * Returns the place of the values in host memory, as a task has it that accesses a part of the data: that of the
     * point (0, 0, 0) may be outside of the memory.
     */
    public Binding.Place place(Memory memory, Box part) {
        Layout layout = memory.layout();
        int dimensions = grid.dimensions();
        int size = layout.type().bytes();
        long[] strides = new long[Grid.MOST_DIMENSIONS]; // x first
        long start = 0;
        for (int axis = 0; axis < dimensions; axis++) {
            int at = dimensions - 1 - axis;
            strides[axis] = layout.stride(at) * size;
            start += (grid.ghostLayers(axis) - part.from(at)) * strides[axis];
        }
        return new Binding.Place(memory.segment(), start, strides[1], strides[2]);
    }

    /** Returns some of the points, ghosts or not, as a part of the data that a task may access alone. */
    public View view(Range range) {
        return new View(data, grid.box(range));
    }

    /** Returns the points without ghosts that are at least {@code width} points away from every side, as a part. */
    public View core(int width) {
        return view(grid.core(centring, width));
    }

    /** Returns the outermost {@code width} layers of points at a side, without ghosts, as a part. */
    public View border(Side side, int width) {
        return view(grid.border(centring, side, width));
    }

    /** Returns the ghosts beyond a side as a part. */
    public View ghosts(Side side) {
        return view(grid.ghosts(centring, side));
    }

    /**
     * Throws an exception if the values lie in memory of the user's that is read-only.
     *
     * @throws IllegalArgumentException if nothing can be written there
     */
    public void requireWritable() {
        MemorySegment home = data.home();
        if (home != null && home.isReadOnly()) {
            throw new IllegalArgumentException("\"" + name
                    + "\" is in read-only memory of the user's: it can be read, and nothing be written to it");
        }
    }

    @Override
    public String toString() {
        return name + " (" + centring.text() + ")";
    }
}
