package dev.jacquard.apps.pde;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.FaceY;
import dev.jacquard.expressions.field.Location.FaceZ;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.text.ExpressionParser.PointFunction;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The coordinates of a grid which repeats itself along some axes. Given fields are the same at a ghost cell and the
 * cell that it repeats, and on the last faces and the first, to the bit: so these have the same coordinates. Immutable.
 *
 * @param periodic the axes along which the grid repeats itself, 0 for x
 */
record Axes(Grid grid, Set<Integer> periodic) {
    Axes {
        periodic = Set.copyOf(periodic);
    }

    /** Returns the coordinate of a point, or of the one that it repeats. */
    private double repeated(Centring centring, int axis, double coordinate) {
        if (!periodic.contains(axis)) {
            return coordinate;
        }
        double first = grid.coordinate(centring, axis, 0);
        long index = Math.round((coordinate - first) / grid.spacing(axis));
        return grid.coordinate(centring, axis, (int) Math.floorMod(index, (long) grid.cells(axis)));
    }

    /** Sets a field by a function, the same wherever the grid repeats itself. */
    void set(FieldStore fields, Tag<?> tag, int component, double time, PointFunction function) {
        Centring centring = tag.centring(component);
        fields.set(
                fields.field(tag, component),
                (x, y, z) -> function.at(
                        repeated(centring, 0, x), repeated(centring, 1, y), repeated(centring, 2, z), time));
    }

    /**
     * Returns the coordinates of a point beyond a side, in the first layer of ghosts, at which a function is not
     * finite; none if it is finite in that layer.
     */
    Optional<String> notFinite(Centring centring, Side side, PointFunction function) {
        int axis = side.axis();
        int[] counts = new int[Grid.MOST_DIMENSIONS];
        for (int along = 0; along < counts.length; along++) {
            counts[along] = along == axis || along >= grid.dimensions() ? 1 : grid.points(centring, along);
        }
        int ghost = side.isHigh() ? grid.points(centring, axis) : -1;
        double[] at = new double[Grid.MOST_DIMENSIONS];
        for (int z = 0; z < counts[2]; z++) {
            for (int y = 0; y < counts[1]; y++) {
                for (int x = 0; x < counts[0]; x++) {
                    int[] index = {x, y, z};
                    index[axis] = ghost;
                    for (int along = 0; along < grid.dimensions(); along++) {
                        at[along] = repeated(centring, along, grid.coordinate(centring, along, index[along]));
                    }
                    if (!Double.isFinite(function.at(at[0], at[1], at[2], 0))) {
                        return Optional.of(described(at));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private String described(double[] at) {
        return IntStream.range(0, grid.dimensions())
                .mapToObj(along -> Keys.AXES.charAt(along) + " = " + at[along])
                .collect(Collectors.joining(", "));
    }

    /** Returns the field that has a coordinate where a grid repeats itself. */
    static <L extends Location> Tag<L> coordinate(int axis, Class<L> location) {
        return new Tag<>(Keys.AXES.charAt(axis) + " of " + location.getSimpleName(), location);
    }

    /** Returns the field that has the numbers of points along an axis where a grid repeats itself. */
    static <L extends Location> Tag<L> index(int axis, Class<L> location) {
        return new Tag<>("number along " + coordinate(axis, location).name(), location);
    }

    /** Returns the function that has the number of a point along an axis as its value. */
    PointFunction index(int axis, Centring centring) {
        PointFunction coordinate = coordinate(axis);
        double first = grid.coordinate(centring, axis, 0);
        return (x, y, z, t) -> Math.rint((coordinate.at(x, y, z, t) - first) / grid.spacing(axis));
    }

    /** Returns the function that has a coordinate as its value. */
    static PointFunction coordinate(int axis) {
        return (x, y, z, t) -> axis == 0 ? x : axis == 1 ? y : z;
    }

    /** Returns the location of a component on faces. */
    static Class<? extends Location> faces(int axis) {
        return axis == 0 ? FaceX.class : axis == 1 ? FaceY.class : FaceZ.class;
    }
}
