package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.memory.data.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
    private static final String TIME = "t";

    private final Field field;
    private final Map<Side, Condition> conditions;

    private Boundaries(Field field, Map<Side, Condition> conditions) {
        this.field = field;
        this.conditions = conditions;
    }

    /** Returns no conditions yet. */
    public static Boundaries of(FieldStore fields, Tag<Cell> tag) {
        return new Boundaries(fields.field(tag), new EnumMap<>(Side.class));
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
        return new Boundaries(field, all);
    }

    /**
     * Submits the task that fills the ghost cells.
     *
     * @param time for conditions that vary
     * @throws IllegalStateException if a side has no condition, or only one of two opposite sides is periodic
     */
    public Task<@Nullable Void> submit(Tasks graph, double time) {
        return submit(graph, Parameters.of(Map.of(TIME, time)));
    }

    /**
     * Submits the task that fills the ghost cells, at a time that may change between the runs of a recorded graph.
     *
     * @param parameters with the time as {@code "t"}
     * @throws IllegalStateException if a side has no condition, or only one of two opposite sides is periodic
     */
    public Task<@Nullable Void> submit(Tasks graph, Parameters parameters) {
        requireAll();
        double[] time = parameters.bind(List.of(TIME));
        BindingBody body = context -> {
            Filling filling = new Filling(field.place(context.memory(field.data())), time);
            return run -> filling.fill();
        };
        return graph.task("boundaries of " + field.name()).updates(field.data()).run(body);
    }

    private void requireAll() {
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

    /** The work of the task on the memory of the field. */
    private final class Filling {
        private final Grid grid = field.grid();
        private final boolean single = grid.type() == ElementType.FLOAT32;
        private final Binding.Place place;
        /** The time of the run, which may change between runs. */
        private final double[] time;

        Filling(Binding.Place place, double[] time) {
            this.place = place;
            this.time = time;
        }

        void fill() {
            for (Side side : Side.values()) {
                if (side.axis() < grid.dimensions()) {
                    fill(side, Objects.requireNonNull(conditions.get(side)));
                }
            }
        }

        private void fill(Side side, Condition condition) {
            int one = side.axis() == 0 ? 1 : 0;
            int other = side.axis() == 2 ? 1 : 2;
            int[] at = new int[Grid.MOST_DIMENSIONS];
            for (at[other] = first(side, other); at[other] < behind(side, other); at[other]++) {
                for (at[one] = first(side, one); at[one] < behind(side, one); at[one]++) {
                    double given = switch (condition) {
                        case Condition.Dirichlet wall -> value(wall.value(), side, at);
                        case Condition.Neumann wall -> value(wall.derivative(), side, at);
                        case Condition.Periodic wall -> 0;
                    };
                    for (int layer = 0; layer < grid.ghostLayers(side.axis()); layer++) {
                        fill(side, condition, given, layer, at);
                    }
                }
            }
        }

        private void fill(Side side, Condition condition, double given, int layer, int[] at) {
            int axis = side.axis();
            int cells = grid.cells(axis);
            int ghost = side.isHigh() ? cells + layer : -1 - layer;
            int mirror = side.isHigh() ? cells - 1 - layer : layer;
            double result = switch (condition) {
                case Condition.Dirichlet wall -> 2 * given - get(at, axis, mirror);
                case Condition.Neumann wall -> get(at, axis, mirror) + (2 * layer + 1) * grid.spacing(axis) * given;
                case Condition.Periodic wall -> get(at, axis, side.isHigh() ? layer : cells - 1 - layer);
            };
            long offset = offset(at, axis, ghost);
            MemorySegment memory = place.segment();
            if (single) {
                memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset, (float) result);
            } else {
                memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset, result);
            }
        }

        /** Returns the first index of another axis: the ghosts of axes before are filled already. */
        private int first(Side side, int axis) {
            return axis < side.axis() ? -grid.ghostLayers(axis) : 0;
        }

        private int behind(Side side, int axis) {
            return grid.cells(axis) + (axis < side.axis() ? grid.ghostLayers(axis) : 0);
        }

        private double value(Condition.WallFunction function, Side side, int[] at) {
            return function.at(
                    coordinate(side, 0, at[0]), coordinate(side, 1, at[1]), coordinate(side, 2, at[2]), time[0]);
        }

        private double coordinate(Side side, int axis, int index) {
            if (axis >= grid.dimensions()) {
                return 0;
            }
            return axis == side.axis()
                    ? grid.coordinate(Centring.NODE, axis, side.isHigh() ? grid.cells(axis) : 0)
                    : grid.coordinate(Centring.CELL, axis, index);
        }

        private double get(int[] at, int axis, int index) {
            long offset = offset(at, axis, index);
            return single
                    ? place.segment().get(ValueLayout.JAVA_FLOAT_UNALIGNED, offset)
                    : place.segment().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset);
        }

        private long offset(int[] at, int axis, int index) {
            int x = axis == 0 ? index : at[0];
            int y = axis == 1 ? index : at[1];
            int z = axis == 2 ? index : at[2];
            return place.start()
                    + y * place.strideY()
                    + z * place.strideZ()
                    + (long) x * grid.type().bytes();
        }
    }

    /**
     * A condition at a wall, from which the ghost cells behind it follow. Immutable.
     *
     * <p>Of ghost layer k, counted from the wall on, and the cell at the same distance on the other side of the wall:
     *
     * <pre>
     *  Dirichlet  ghost = 2 · value − cell
     *  Neumann    ghost = cell + (2k + 1) · h · outward derivative
     *  periodic   ghost = the cell at the same place of the next period
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

        /** The grid goes on at its other end. */
        record Periodic() implements Condition {}

        /** Returns the condition that the field has that value. */
        static Condition dirichlet(double value) {
            return new Dirichlet((x, y, z, t) -> value);
        }

        /** Returns the condition that the field has these values, which may vary in space and time. */
        static Condition dirichlet(WallFunction value) {
            return new Dirichlet(value);
        }

        /** Returns the condition that the field has that derivative along the outward direction. */
        static Condition neumann(double derivative) {
            return new Neumann((x, y, z, t) -> derivative);
        }

        /** Returns the condition that the field has these outward derivatives, which may vary in space and time. */
        static Condition neumann(WallFunction derivative) {
            return new Neumann(derivative);
        }

        /** Returns the condition that the field repeats itself. */
        static Condition periodic() {
            return new Periodic();
        }
    }
}
