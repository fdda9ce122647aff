package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
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
 * one. Ghosts are those of the slab that they lie at.
 *
 * @param from the first cell
 * @param to behind the last cell
 * @param isFirst true if it begins where the grid does
 * @param isLast true if it ends where the grid does
 * @param below the layers below it that are accessed of some data, at least
 */
record Slab(int from, int to, boolean isFirst, boolean isLast, Map<Data, Integer> below) {
    /** Returns the points of a range that lie in the slab. */
    Range range(Range all, int axis) {
        return switch (axis) {
            case 0 -> new Range(from, isLast ? all.x1() : to, all.y0(), all.y1(), all.z0(), all.z1());
            case 1 -> new Range(all.x0(), all.x1(), from, isLast ? all.y1() : to, all.z0(), all.z1());
            default -> new Range(all.x0(), all.x1(), all.y0(), all.y1(), from, isLast ? all.z1() : to);
        };
    }

    /** Returns the part of some data that a loop over the slab accesses: the slab, and as far around as it reads. */
    View view(Data data, FieldLoop loop) {
        int ghosts = loop.target().grid().ghostLayers(0);
        Reach reach = Reach.of(loop, data);
        Box all = data.box();
        long[] begin = new long[all.dimensions()];
        long[] end = all.extents();
        if (!isFirst) {
            int layers = Math.max(-reach.low, below.getOrDefault(data, 0));
            begin[0] = Math.max(0, from + ghosts - layers); // the last axis is the first dimension
        }
        if (!isLast) {
            end[0] = Math.min(end[0], to + ghosts + reach.high);
        }
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
            List<Field> inputs = loop.inputs();
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
