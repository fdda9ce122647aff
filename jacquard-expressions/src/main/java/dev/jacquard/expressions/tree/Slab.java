package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.View;
import java.util.List;
import java.util.Map;

/**
 * A slab of a grid: some layers along its last axis. A point that lies on the face between two slabs is in the upper
 * one. Ghosts belong to the slab that they lie at.
 *
 * @param from the first cell
 * @param to after the last cell
 * @param isFirst true if it begins where the grid does
 * @param isLast true if it ends where the grid does
 * @param below the layers below it that are accessed of some data, at least
 */
record Slab(int from, int to, boolean isFirst, boolean isLast, Map<Data, Integer> below) {
    /** Returns the points of a range that lie in the slab. */
    Range range(Range all, int axis) {
        int end = axis == 0 ? all.x1() : axis == 1 ? all.y1() : all.z1();
        return all.along(axis, from, isLast ? end : to);
    }

    /** Returns the part of some data that a loop over the slab accesses: the slab, and as far around as it reads. */
    View view(Data data, FieldLoop loop) {
        Reach reach = Reach.of(loop, data);
        int layers = Math.max(-reach.low, below.getOrDefault(data, 0));
        return view(data, loop.target().grid().ghostLayers(0), layers, reach.high);
    }

    /**
     * Returns the part of some data that is the slab, with the ghosts at the ends of the grid, and more.
     *
     * @param lower the layers below it, where there is another slab
     * @param upper the layers above it, where there is another slab
     */
    View view(Data data, int ghosts, int lower, int upper) {
        long all = data.box().extent(0);
        return layers(
                data,
                isFirst ? 0 : Math.max(0, from + ghosts - lower),
                isLast ? all : Math.min(all, to + ghosts + upper));
    }

    /** Returns some layers of data along the last axis, counted with the ghosts. */
    static View layers(Data data, long from, long to) {
        long[] begin = new long[data.box().dimensions()];
        long[] end = data.box().extents();
        begin[0] = from; // the last axis is the first dimension
        end[0] = to;
        return new View(data, Box.of(begin, end));
    }

    /**
     * The layers around a slab that a loop reads.
     *
     * @param low below it, as a number that is not positive
     * @param high above it
     */
    record Reach(int low, int high) {
        /** Returns the reach in some data, along the last axis. */
        static Reach of(FieldLoop loop, Data data) {
            Grid grid = loop.target().grid();
            List<GridField> inputs = loop.inputs();
            int low = 0;
            int high = 0;
            for (Value value : loop.plan().body().values()) {
                if (value.operator() == Operator.INPUT
                        && inputs.get(value.element().input()).data().equals(data)) {
                    int distance = value.element().distance(grid.dimensions() - 1);
                    low = Math.min(low, distance);
                    high = Math.max(high, distance);
                }
            }
            return new Reach(low, high);
        }

        /** Returns the reach in all data that a loop reads. */
        static Reach of(FieldLoop loop) {
            int low = 0;
            int high = 0;
            for (Data data : loop.reads()) {
                Reach its = of(loop, data);
                low = Math.min(low, its.low);
                high = Math.max(high, its.high);
            }
            return new Reach(low, high);
        }
    }
}
