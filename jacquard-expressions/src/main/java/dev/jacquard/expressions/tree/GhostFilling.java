package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.memory.data.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * Fills the ghosts of a field in cells. Both sides of an axis are filled before the next axis, whose ghosts follow from
 * them at the edges; the lines of a side are independent, and lie along x but for the sides across x.
 *
 * <p>Threads: parts of a side by several, each with lines of its own.
 */
final class GhostFilling {
    /** The ghosts that are worth a part of their own: some microseconds. */
    private static final int GHOSTS_PER_PART = 1 << 14;

    private final Field field;
    private final Grid grid;
    private final Map<Side, Condition> conditions;
    private final boolean single;
    private final Binding.Place place;
    /** The time of the run, which may change between runs. */
    private final double[] time;

    GhostFilling(Field field, Map<Side, Condition> conditions, Binding.Place place, double[] time) {
        this.field = field;
        this.grid = field.grid();
        this.conditions = conditions;
        this.single = grid.type() == ElementType.FLOAT32;
        this.place = place;
        this.time = time;
    }

    void fill(TaskContext context) throws Exception {
        for (Side side : Side.values()) {
            if (side.axis() < grid.dimensions() && grid.ghostLayers(side.axis()) > 0) {
                int lines = side.axis() == 2 ? 1 : 2; // the axis along which lines are counted
                int first = first(side, lines);
                int behind = behind(side, lines);
                long ghosts = (long) grid.ghostLayers(side.axis()) * (grid.cells(0) + grid.cells(1));
                context.parallelFor(
                        first, behind, 1 + GHOSTS_PER_PART / ghosts, (from, to) -> fill(side, (int) from, (int) to));
            }
        }
    }

    private void fill(Side side, int from, int to) {
        Condition condition = Objects.requireNonNull(conditions.get(side), field::name);
        double[] given = new double[side.axis() == 0 ? 1 : behind(side, 0) - first(side, 0)];
        for (int line = from; line < to; line++) {
            if (side.axis() == 2) {
                fillLine(side, condition, line, 0, given);
            } else if (side.axis() == 1) {
                fillLine(side, condition, 0, line, given);
            } else {
                for (int y = first(side, 1); y < behind(side, 1); y++) {
                    fillLine(side, condition, y, line, given);
                }
            }
        }
    }

    /**
     * Fills the ghosts of a side on a line along x, or for a side across x at a point: those of all layers.
     *
     * @param y the index of the line, of no importance for sides across y
     * @param z the same, for sides across z
     * @param given room for the wall's values
     */
    private void fillLine(Side side, Condition condition, int y, int z, double[] given) {
        switch (condition) {
            case Condition.Dirichlet wall -> give(wall.value(), side, y, z, given);
            case Condition.Neumann wall -> give(wall.derivative(), side, y, z, given);
            case Condition.Periodic wall -> {}
        }
        int axis = side.axis();
        int cells = grid.cells(axis);
        for (int layer = 0; layer < grid.ghostLayers(axis); layer++) {
            int ghost = side.isHigh() ? cells + layer : -1 - layer;
            int inside = side.isHigh() ? cells - 1 - layer : layer;
            if (condition instanceof Condition.Periodic) {
                inside = side.isHigh() ? layer : cells - 1 - layer;
            }
            long to = offset(axis, ghost, y, z);
            long from = offset(axis, inside, y, z);
            switch (condition) {
                case Condition.Dirichlet wall -> mirror(to, from, given, 2, -1);
                case Condition.Neumann wall -> mirror(to, from, given, (2 * layer + 1) * grid.spacing(axis), 1);
                case Condition.Periodic wall -> {
                    long bytes = (long) given.length * grid.type().bytes();
                    MemorySegment.copy(place.segment(), from, place.segment(), to, bytes);
                }
            }
        }
    }

    /** Sets {@code ghost = factor · given + sign · inside}; the sign, 1 or -1, changes no rounding. */
    private void mirror(long to, long from, double[] given, double factor, double sign) {
        MemorySegment memory = place.segment();
        if (single) {
            for (int i = 0; i < given.length; i++) {
                double inside = memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, from + (long) i * Float.BYTES);
                memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, to + (long) i * Float.BYTES, (float)
                        (factor * given[i] + sign * inside));
            }
        } else {
            for (int i = 0; i < given.length; i++) {
                double inside = memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, from + (long) i * Double.BYTES);
                memory.set(
                        ValueLayout.JAVA_DOUBLE_UNALIGNED,
                        to + (long) i * Double.BYTES,
                        factor * given[i] + sign * inside);
            }
        }
    }

    /** Evaluates the wall's function at the centres of the faces of a line. */
    private void give(Condition.WallFunction function, Side side, int y, int z, double[] given) {
        if (function instanceof Condition.Constant constant) {
            Arrays.fill(given, constant.value());
            return;
        }
        double atY = coordinate(side, 1, y);
        double atZ = coordinate(side, 2, z);
        int first = side.axis() == 0 ? 0 : first(side, 0);
        for (int i = 0; i < given.length; i++) {
            given[i] = function.at(coordinate(side, 0, first + i), atY, atZ, time[0]);
        }
    }

    /** Returns the first index of another axis: the ghosts of axes before are filled already. */
    private int first(Side side, int axis) {
        return axis < side.axis() ? -grid.ghostLayers(axis) : 0;
    }

    private int behind(Side side, int axis) {
        return grid.cells(axis) + (axis < side.axis() ? grid.ghostLayers(axis) : 0);
    }

    private double coordinate(Side side, int axis, int index) {
        if (axis >= grid.dimensions()) {
            return 0;
        }
        return axis == side.axis()
                ? grid.coordinate(Centring.NODE, axis, side.isHigh() ? grid.cells(axis) : 0)
                : grid.coordinate(Centring.CELL, axis, index);
    }

    /** Returns the place of the first point of a line, of that index along an axis. */
    private long offset(int axis, int index, int y, int z) {
        int x = axis == 0 ? index : -grid.ghostLayers(0);
        return place.start()
                + (axis == 1 ? index : y) * place.strideY()
                + (axis == 2 ? index : z) * place.strideZ()
                + (long) x * grid.type().bytes();
    }
}
