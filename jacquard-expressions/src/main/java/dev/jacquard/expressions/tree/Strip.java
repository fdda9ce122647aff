package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ghosts of a field in cells beyond a side, all of them or the ghosts at a slab: layers of lines, with the
 * condition that they follow from. The lines of a layer lie along x, but for the sides across x, where they lie along
 * y. Strips of later axes go as far as the ghosts of the axes before, so that edges and corners are theirs.
 *
 * <p>Each ghost is {@code factor · given + sign · inside}, where {@code given} is the value of the condition at the
 * wall, and {@code inside} a cell of the field: the mirrored one, or of a periodic axis that of the other end. The
 * product is rounded to the type of the field, and so is the sum.
 *
 * <p>Immutable.
 */
final class Strip {
    private final Grid grid;
    private final Side side;
    private final Condition condition;
    private final boolean[] periodic;
    private final Range cells;

    private Strip(Grid grid, Side side, Condition condition, boolean[] periodic, Range cells) {
        this.grid = grid;
        this.side = side;
        this.condition = condition;
        this.periodic = periodic;
        this.cells = cells;
    }

    /**
     * Returns the strips that are to be filled, in their order, of which each reads ghosts that the strips before it
     * fill.
     *
     * @param conditions of all sides that the grid has
     * @param slab some layers along the last axis; null for all
     */
    static List<Strip> of(Grid grid, Map<Side, Condition> conditions, @Nullable Slab slab) {
        boolean[] periodic = new boolean[Grid.MOST_DIMENSIONS];
        conditions.forEach((side, condition) -> periodic[side.axis()] |= condition instanceof Condition.Periodic);
        int last = grid.dimensions() - 1;
        List<Strip> strips = new ArrayList<>();
        for (Side side : Side.values()) {
            Condition its = conditions.get(side);
            boolean isThere = slab == null || side.axis() != last || (side.isHigh() ? slab.isLast() : slab.isFirst());
            if (isThere && its != null && !(its instanceof Condition.Exchanged) && grid.ghostLayers(side.axis()) > 0) {
                strips.add(new Strip(grid, side, its, periodic, cells(grid, side, slab)));
            }
        }
        return strips;
    }

    /** Returns the cells at a side, with the ghosts of the axes before; along its axis there are none. */
    private static Range cells(Grid grid, Side side, @Nullable Slab slab) {
        int[] from = new int[Grid.MOST_DIMENSIONS];
        int[] to = new int[Grid.MOST_DIMENSIONS];
        for (int axis = 0; axis < from.length; axis++) {
            int ghosts = axis < side.axis() ? grid.ghostLayers(axis) : 0;
            from[axis] = -ghosts;
            to[axis] = grid.cells(axis) + ghosts;
        }
        if (slab != null) {
            from[grid.dimensions() - 1] = slab.from();
            to[grid.dimensions() - 1] = slab.to();
        }
        return new Range(from[0], to[0], from[1], to[1], from[2], to[2]).along(side.axis(), 0, 1);
    }

    // ---- its parts

    int axis() {
        return side.axis();
    }

    int layers() {
        return grid.ghostLayers(axis());
    }

    /** Returns the first line of each layer. */
    int firstLine() {
        return axis() == 2 ? cells.y0() : cells.z0();
    }

    /** Returns the line after the last one of each layer. */
    int behindLines() {
        return axis() == 2 ? cells.y1() : cells.z1();
    }

    /** Returns the points of a line. */
    int points() {
        return axis() == 0 ? cells.y1() - cells.y0() : cells.x1() - cells.x0();
    }

    private int firstPoint() {
        return axis() == 0 ? cells.y0() : cells.x0();
    }

    /** Returns the points of a layer of ghosts. */
    Range ghosts(int layer) {
        return cells.along(axis(), ghost(layer), ghost(layer) + 1);
    }

    private int ghost(int layer) {
        return side.isHigh() ? grid.cells(axis()) + layer : -1 - layer;
    }

    private int inside(int layer) {
        boolean fromHigh = side.isHigh() != isPeriodic();
        return fromHigh ? grid.cells(axis()) - 1 - layer : layer;
    }

    // ---- the condition

    boolean isPeriodic() {
        return condition instanceof Condition.Periodic;
    }

    private Condition.@Nullable WallFunction function() {
        return switch (condition) {
            case Condition.Dirichlet wall -> wall.value();
            case Condition.Neumann wall -> wall.derivative();
            case Condition.Periodic _, Condition.Exchanged _ -> null;
        };
    }

    /** Returns true if the given value is to be asked for at each point. */
    boolean varies() {
        return !isPeriodic() && !(function() instanceof Condition.Constant);
    }

    /** Returns the factor of the given value, for a layer. */
    double factor(int layer) {
        return condition instanceof Condition.Dirichlet ? 2 : (2 * layer + 1) * grid.spacing(axis());
    }

    /** Returns the sign of the cell: 1 or -1, which changes no rounding. */
    double sign() {
        return condition instanceof Condition.Dirichlet ? -1 : 1;
    }

    /**
     * Returns {@code factor · given} of a layer where nothing varies, not rounded to the type of the field: of a
     * periodic axis the number that changes no other one when it is added.
     */
    double constant(int layer) {
        return function() instanceof Condition.Constant constant ? factor(layer) * constant.value() : -0.0;
    }

    /** Evaluates the given value at the centres of the faces of a line on the wall. */
    void give(int line, double time, double[] given) {
        Condition.WallFunction function = function();
        if (function instanceof Condition.Constant constant) {
            Arrays.fill(given, constant.value());
        } else if (function != null) {
            int along = axis() == 0 ? 1 : 0;
            int across = axis() == 2 ? 1 : 2;
            double[] at = new double[Grid.MOST_DIMENSIONS];
            for (int axis = 0; axis < at.length; axis++) {
                at[axis] = coordinate(axis, axis == across ? line : 0);
            }
            for (int i = 0; i < given.length; i++) {
                at[along] = coordinate(along, firstPoint() + i);
                given[i] = function.at(at[0], at[1], at[2], time);
            }
        }
    }

    /** Returns the coordinate of a cell, or of the side: beyond an end of a periodic axis that of the other end. */
    private double coordinate(int axis, int index) {
        if (axis >= grid.dimensions()) {
            return 0;
        }
        int cell = periodic[axis] ? Math.floorMod(index, grid.cells(axis)) : index;
        return axis == axis()
                ? grid.coordinate(Centring.NODE, axis, side.isHigh() ? grid.cells(axis) : 0)
                : grid.coordinate(Centring.CELL, axis, cell);
    }

    // ---- places in memory

    /** Returns the bytes from one point of a line to the next. */
    long stride(Binding.Place place) {
        return axis() == 0 ? place.strideY() : grid.type().bytes();
    }

    /** Returns the place of the first ghost of a line. */
    long ghost(Binding.Place place, int layer, int line) {
        return offset(place, ghost(layer), line);
    }

    /** Returns the place of the cell that the first ghost of a line follows from. */
    long inside(Binding.Place place, int layer, int line) {
        return offset(place, inside(layer), line);
    }

    private long offset(Binding.Place place, int across, int line) {
        long size = grid.type().bytes();
        int first = firstPoint();
        return place.start()
                + switch (axis()) {
                    case 0 -> line * place.strideZ() + first * place.strideY() + across * size;
                    case 1 -> line * place.strideZ() + across * place.strideY() + first * size;
                    default -> across * place.strideZ() + line * place.strideY() + first * size;
                };
    }
}
