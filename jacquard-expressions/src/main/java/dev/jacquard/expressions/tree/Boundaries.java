package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The conditions on all sides of a field in cells, by which its ghost cells are filled: along x first, then along y and
 * z with the ghosts of the axes before, so that edges and corners have values too.
 *
 * <pre>{@code
 * Boundaries walls = Boundaries.of(fields, T)
 *         .on(Side.X_LOW, dirichlet(0)).on(Side.X_HIGH, neumann(0))
 *         .on(Side.Y_LOW, periodic()).on(Side.Y_HIGH, periodic());
 * walls.submit(graph, time);
 * }</pre>
 *
 * <p>Immutable; any thread.
 *
 * <p>Source: the expressions thesis, section 4.1 (ghost cells and boundary conditions).
 */
public final class Boundaries {
    static final String TIME = "t";

    private final FieldStore fields;
    private final GridField field;
    /** Where the field lives; null if the session places its tasks. */
    private final @Nullable ExecutionTarget where;

    private final Map<Side, Condition> conditions;

    private Boundaries(
            FieldStore fields, GridField field, @Nullable ExecutionTarget where, Map<Side, Condition> conditions) {
        this.fields = fields;
        this.field = field;
        this.where = where;
        this.conditions = conditions;
    }

    /** Returns no conditions yet, for the field that the tag has now. */
    public static Boundaries of(FieldStore fields, Tag<Cell> tag) {
        GhostFilling.warm(fields.grid().type(), fields.loops());
        return new Boundaries(fields, fields.field(tag), fields.target(tag), new EnumMap<>(Side.class));
    }

    /**
     * Returns these conditions and one more, or another one for its side.
     *
     * @throws IllegalArgumentException if the grid lacks the axis
     */
    public Boundaries on(Side side, Condition condition) {
        Objects.requireNonNull(side, "side");
        Objects.requireNonNull(condition, "condition");
        if (side.axis() >= field.grid().dimensions()) {
            throw new IllegalArgumentException("a grid of " + field.grid() + " has no side " + side + ": \""
                    + field.name() + "\" ends there nowhere");
        }
        Map<Side, Condition> all = new EnumMap<>(conditions);
        all.put(side, condition);
        return new Boundaries(fields, field, where, all);
    }

    /**
     * Returns these conditions, by which the ghosts are filled on a target, wherever the field lives.
     *
     * @param target the host, a device, or a kind of devices
     */
    public Boundaries filledOn(ExecutionTarget target) {
        return new Boundaries(fields, field, Objects.requireNonNull(target, "target"), conditions);
    }

    /**
     * Submits the task that fills the ghost cells, where the field {@linkplain FieldStore#live lives}. Functions are
     * asked on the host.
     *
     * @param time for conditions that vary
     * @throws IllegalStateException if a side has no condition, or only one of two opposite sides is periodic
     */
    public Task<@Nullable Void> submit(Tasks graph, double time) {
        return submit(graph, Parameters.fixed(Map.of(TIME, time)));
    }

    /**
     * Submits the task that fills the ghost cells, at a time that may change between the runs of a recorded graph.
     *
     * @param parameters with the time as {@code "t"}
     * @throws IllegalStateException if a side has no condition, or only one of two opposite sides is periodic
     */
    public Task<@Nullable Void> submit(Tasks graph, Parameters parameters) {
        return new FilledGhosts(this).submit(fields.session(), graph, where, parameters);
    }

    /** Returns the name of the task that fills the ghost cells. If it fails, the field has no values any more. */
    public String taskName() {
        return "boundaries of " + field.name();
    }

    /**
     * Fills the ghosts of values in memory that is no field's.
     *
     * @param place of the values of a field in cells of that grid, with all its ghosts
     * @param conditions of all sides of the grid, none of which asks a function
     * @param context of the task that does so
     */
    public static void fill(Grid grid, Map<Side, Condition> conditions, Binding.Place place, KernelContext context)
            throws Exception {
        new GhostFilling(grid, Strip.of(grid, conditions, null), new GhostFilling.Places(place, place, null), 0)
                .fill(context);
    }

    FieldStore fields() {
        return fields;
    }

    GridField field() {
        return field;
    }

    /**
     * Returns the ghosts to be filled, in their order.
     *
     * @param slab the slab with the ghosts to be filled; null for all
     */
    List<Strip> strips(@Nullable Slab slab) {
        return Strip.of(field.grid(), conditions, slab);
    }

    void requireAll() {
        Grid grid = field.grid();
        for (Side side : Side.values()) {
            if (side.axis() < grid.dimensions()) {
                Condition its = conditions.get(side);
                if (its == null) {
                    throw new IllegalStateException("\"" + field.name() + "\" has no condition on side " + side
                            + ": Boundaries.on(" + side + ", ...) gives it one");
                }
                if (its instanceof Condition.Periodic
                        && !(conditions.get(side.opposite()) instanceof Condition.Periodic)) {
                    throw new IllegalStateException("\"" + field.name() + "\" is periodic on side " + side
                            + " and not on " + side.opposite() + ": both must be");
                }
                if (grid.cells(side.axis()) < grid.ghostLayers(side.axis())) {
                    throw new IllegalStateException("\"" + field.name() + "\" has " + grid.ghostLayers(side.axis())
                            + " ghost layers on side " + side + " and only " + grid.cells(side.axis()) + " cells");
                }
            }
        }
    }

    /**
     * A condition at a wall, from which the ghost cells beyond it follow. Immutable.
     *
     * <p>Of ghost layer k, counted from the wall on, and the cell at the same distance on the other side of the wall:
     *
     * <pre>
     *  Dirichlet  ghost = 2 · value − cell
     *  Neumann    ghost = cell + (2k + 1) · h · outward derivative
     *  periodic   ghost = the cell at the same place of the next period
     *  exchanged  ghost as it is
     * </pre>
     */
    public sealed interface Condition {
        /** A number at each point of a wall, at each time. */
        @FunctionalInterface
        interface WallFunction {
            /** Returns the number at the centre of a cell's face on the wall; coordinates that the grid lacks are 0. */
            double at(double x, double y, double z, double t);
        }

        /**
         * A given value.
         *
         * @param value at each point of the wall
         */
        record Dirichlet(WallFunction value) implements Condition {
            public Dirichlet {
                Objects.requireNonNull(value, "value");
            }
        }

        /**
         * A given derivative.
         *
         * @param derivative along the direction that points out of the grid
         */
        record Neumann(WallFunction derivative) implements Condition {
            public Neumann {
                Objects.requireNonNull(derivative, "derivative");
            }
        }

        /**
         * The same number everywhere and at all times.
         *
         * @param value the number
         */
        record Constant(double value) implements WallFunction {
            @Override
            public double at(double x, double y, double z, double t) {
                return value;
            }
        }

        /** The grid goes on at its other end. */
        record Periodic() implements Condition {}

        /** The ghosts are left as they are: an {@link Exchange} fills them. */
        record Exchanged() implements Condition {}

        /** Returns the condition that the field has that value. */
        static Condition dirichlet(double value) {
            return new Dirichlet(new Constant(value));
        }

        /** Returns the condition that the field has these values, which may vary in space and time. */
        static Condition dirichlet(WallFunction value) {
            return new Dirichlet(value);
        }

        /** Returns the condition that the field has that derivative along the outward direction. */
        static Condition neumann(double derivative) {
            return new Neumann(new Constant(derivative));
        }

        /** Returns the condition that the field has these outward derivatives, which may vary in space and time. */
        static Condition neumann(WallFunction derivative) {
            return new Neumann(derivative);
        }

        /** Returns the condition that the field repeats itself. */
        static Condition periodic() {
            return new Periodic();
        }

        /** Returns the condition of a side on which an {@link Exchange} fills the ghosts, before or after. */
        static Condition exchanged() {
            return new Exchanged();
        }
    }
}
