package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.memory.data.ElementType;
import dev.jacquard.memory.data.Layout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fills the ghosts of a field in cells. Both sides of an axis are filled before the next axis, whose ghosts follow from
 * them at the edges; the lines of a side are independent, and lie along x but for the sides across x.
 *
 * <p>Threads: parts of a side by several, each with lines of its own.
 */
final class GhostFilling {
    /** The ghosts that are worth a part of their own: some microseconds. */
    private static final int GHOSTS_PER_PART = 1 << 14;

    /** The cells of a small field along each axis. */
    private static final int WARM_CELLS = 16;

    /** The nanoseconds in which its ghosts are filled by each kind of conditions, or less, where C2 compiled that. */
    private static final int WARM_NANOS = 75_000;

    private final Grid grid;
    private final Map<Side, Condition> conditions;
    /** By axis: whether its ends meet. */
    private final boolean[] periodic = new boolean[Grid.MOST_DIMENSIONS];

    private final boolean single;
    private final Binding.Place place;
    /** The time of the run, which may change between runs. */
    private final double[] time;

    /** @param conditions of all sides that the grid has */
    GhostFilling(Grid grid, Map<Side, Condition> conditions, Binding.Place place, double[] time) {
        this.grid = grid;
        this.conditions = conditions;
        conditions.forEach((side, condition) -> periodic[side.axis()] |= condition instanceof Condition.Periodic);
        this.single = grid.type() == ElementType.FLOAT32;
        this.place = place;
        this.time = time;
    }

    /** Has the JVM compile all this, on a small field of zeros. */
    static void warm(ElementType type, Loops loops) {
        loops.warm("ghosts", () -> scratch(type), WARM_NANOS);
    }

    /** Returns a call that fills the ghosts of that field by each kind of conditions. */
    private static Runnable scratch(ElementType type) {
        Grid grid = Grid.of(WARM_CELLS, WARM_CELLS, WARM_CELLS).ghosts(1).type(type);
        long row = (WARM_CELLS + 2) * (long) type.bytes();
        long plane = (WARM_CELLS + 2) * row;
        MemorySegment zeros = Arena.ofAuto().allocate((WARM_CELLS + 2) * plane, Layout.ALIGNMENT);
        Binding.Place place = new Binding.Place(zeros, plane + row + type.bytes(), row, plane);
        List<GhostFilling> all = Stream.of(Condition.dirichlet(0), Condition.neumann(0), Condition.periodic())
                .map(condition -> {
                    Map<Side, Condition> conditions = new EnumMap<>(Side.class);
                    Arrays.stream(Side.values()).forEach(side -> conditions.put(side, condition));
                    return new GhostFilling(grid, conditions, place, new double[1]);
                })
                .toList();
        return () -> all.forEach(GhostFilling::fill);
    }

    private void fill() {
        for (Side side : Side.values()) {
            fill(side, first(side, lines(side)), behind(side, lines(side)));
        }
    }

    void fill(TaskContext context) throws Exception {
        for (Side side : Side.values()) {
            if (side.axis() < grid.dimensions() && grid.ghostLayers(side.axis()) > 0) {
                int lines = lines(side);
                int first = first(side, lines);
                int behind = behind(side, lines);
                long ghosts = (long) grid.ghostLayers(side.axis()) * (grid.cells(0) + grid.cells(1));
                context.parallelFor(
                        first, behind, 1 + GHOSTS_PER_PART / ghosts, (from, to) -> fill(side, (int) from, (int) to));
            }
        }
    }

    private void fill(Side side, int from, int to) {
        Condition condition = Objects.requireNonNull(conditions.get(side), side::name);
        switch (condition) {
            case Condition.Dirichlet wall -> fill(side, from, to, wall.value(), true);
            case Condition.Neumann wall -> fill(side, from, to, wall.derivative(), false);
            case Condition.Periodic wall -> fill(side, from, to, null, false);
            case Condition.Exchanged wall -> {}
        }
    }

    /**
     * Fills lines of a side.
     *
     * @param function of the wall; null where the ghosts repeat the cells of the other side
     * @param isValue true if it is the field's value at the wall, else the derivative
     */
    private void fill(Side side, int from, int to, Condition.@Nullable WallFunction function, boolean isValue) {
        int along = side.axis() == 0 ? 1 : 0;
        long stride = along == 0 ? grid.type().bytes() : place.strideY();
        int cells = grid.cells(side.axis());
        double[] given = new double[behind(side, along) - first(side, along)];
        double[] values = new double[given.length];
        for (int line = from; line < to; line++) {
            if (function != null) {
                give(function, side, along, line, given);
            }
            for (int layer = 0; layer < grid.ghostLayers(side.axis()); layer++) {
                boolean fromHigh = side.isHigh() == (function != null);
                int inside = fromHigh ? cells - 1 - layer : layer;
                read(offset(side, along, line, inside), stride, values);
                if (function != null) {
                    double distance = (2 * layer + 1) * grid.spacing(side.axis());
                    mirror(values, given, isValue ? 2 : distance, isValue ? -1 : 1);
                }
                write(values, offset(side, along, line, side.isHigh() ? cells + layer : -1 - layer), stride);
            }
        }
    }

    /** Sets {@code ghost = factor · given + sign · inside}; the sign, 1 or -1, changes no rounding. */
    private static void mirror(double[] values, double[] given, double factor, double sign) {
        for (int i = 0; i < values.length; i++) {
            values[i] = factor * given[i] + sign * values[i];
        }
    }

    private void read(long from, long stride, double[] values) {
        MemorySegment memory = place.segment();
        if (single) {
            for (int i = 0; i < values.length; i++) {
                values[i] = memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, from + i * stride);
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                values[i] = memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, from + i * stride);
            }
        }
    }

    private void write(double[] values, long to, long stride) {
        MemorySegment memory = place.segment();
        if (single) {
            for (int i = 0; i < values.length; i++) {
                memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, to + i * stride, (float) values[i]);
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, to + i * stride, values[i]);
            }
        }
    }

    /** Evaluates the wall's function at the centres of the faces of a line. */
    private void give(Condition.WallFunction function, Side side, int along, int line, double[] given) {
        if (function instanceof Condition.Constant constant) {
            Arrays.fill(given, constant.value());
            return;
        }
        double[] at = new double[Grid.MOST_DIMENSIONS];
        for (int axis = 0; axis < at.length; axis++) {
            at[axis] = coordinate(side, axis, axis == lines(side) ? line : 0);
        }
        int first = first(side, along);
        for (int i = 0; i < given.length; i++) {
            at[along] = coordinate(side, along, first + i);
            given[i] = function.at(at[0], at[1], at[2], time[0]);
        }
    }

    /** Returns the axis along which the lines of a side are counted. */
    private static int lines(Side side) {
        return side.axis() == 2 ? 1 : 2;
    }

    /** Returns the first index of another axis: the ghosts of axes before are filled already. */
    private int first(Side side, int axis) {
        return axis < side.axis() ? -grid.ghostLayers(axis) : 0;
    }

    private int behind(Side side, int axis) {
        return grid.cells(axis) + (axis < side.axis() ? grid.ghostLayers(axis) : 0);
    }

    /** Returns the coordinate of a cell, or of the side: beyond an end of a periodic axis that of the other end. */
    private double coordinate(Side side, int axis, int index) {
        if (axis >= grid.dimensions()) {
            return 0;
        }
        int cell = periodic[axis] ? Math.floorMod(index, grid.cells(axis)) : index;
        return axis == side.axis()
                ? grid.coordinate(Centring.NODE, axis, side.isHigh() ? grid.cells(axis) : 0)
                : grid.coordinate(Centring.CELL, axis, cell);
    }

    /** Returns the place of the first point of a line, at an index across the side. */
    private long offset(Side side, int along, int line, int across) {
        return place.start()
                + position(side, along, line, across, 2) * place.strideZ()
                + position(side, along, line, across, 1) * place.strideY()
                + (long) position(side, along, line, across, 0) * grid.type().bytes();
    }

    private int position(Side side, int along, int line, int across, int axis) {
        return axis == side.axis() ? across : axis == along ? first(side, along) : line;
    }
}
