package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Value.Element;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The even part of a rate's derivatives: half the sum of that of a cell's rate by a neighbour and that of the
 * neighbour's rate by the cell. Confined to one thread.
 */
final class EvenPart {
    private final Grid grid;
    private final Jacobian.Rows one;
    private final Set<Integer> periodic;
    private final List<Element> distances;
    /** The derivatives in rows around the present one, by their indices along y and z. */
    private final Map<List<Integer>, double[][]> rows = new HashMap<>();

    private int y;
    private int z;

    EvenPart(Grid grid, Jacobian jacobian, Set<Integer> periodic) {
        this.grid = grid;
        this.one = jacobian.rows(1);
        this.periodic = periodic;
        this.distances = jacobian.distances();
    }

    /** Goes to a row. */
    void row(int toY, int toZ) {
        y = toY;
        z = toZ;
        rows.clear();
    }

    /** Returns the derivatives in a cell of the row, in the order of the distances; 0 by what is behind a wall. */
    double[] at(int x) {
        double[] own = row(List.of(y, z))[x].clone();
        double[] even = own.clone();
        for (int i = 0; i < own.length; i++) {
            Element distance = distances.get(i);
            int opposite = opposite(distance);
            int[] at = {neighbour(0, x, distance), neighbour(1, y, distance), neighbour(2, z, distance)};
            boolean isInside = at[0] >= 0 && at[1] >= 0 && at[2] >= 0;
            double back = isInside && opposite >= 0 ? row(List.of(at[1], at[2]))[at[0]][opposite] : 0;
            even[i] = isInside ? (own[i] + back) / 2 : 0;
        }
        return even;
    }

    private int opposite(Element distance) {
        for (int i = 0; i < distances.size(); i++) {
            Element other = distances.get(i);
            if (other.dx() == -distance.dx() && other.dy() == -distance.dy() && other.dz() == -distance.dz()) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the index of a neighbour along an axis; -1 behind a wall. */
    private int neighbour(int axis, int from, Element distance) {
        int index = from + distance.distance(axis);
        if (index >= 0 && index < grid.cells(axis)) {
            return index;
        }
        return periodic.contains(axis) ? Math.floorMod(index, grid.cells(axis)) : -1;
    }

    private double[][] row(List<Integer> at) {
        double[][] known = rows.get(at);
        if (known != null) {
            return known;
        }
        one.compute(at.get(0), at.get(0) + 1, at.get(1));
        double[][] values = new double[grid.cells(0)][distances.size()];
        for (int x = 0; x < values.length; x++) {
            one.get(x, at.get(0), values[x]);
        }
        rows.put(at, values);
        return values;
    }
}
