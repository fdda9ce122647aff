package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Value.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The even part of a rate's derivatives: half the sum of that of a cell's rate by a neighbour and that of the
 * neighbour's rate by the cell. Confined to one thread.
 */
final class EvenPart {
    private final Grid grid;
    private final Jacobian.Rows one;
    private final Set<Integer> periodic;
    private final List<Element> distances;
    /** For each distance, the place of the opposite one; -1 if there is none. */
    private final int[] opposites;
    /** For each distance, the place of the first one that leads to the same row. */
    private final int[] rows;
    /** The derivatives in the rows to which the distances lead, where they were asked for: by cells. */
    private final List<double @Nullable []> known = new ArrayList<>();

    private int y;
    private int z;

    EvenPart(Grid grid, Jacobian jacobian, Set<Integer> periodic) {
        this.grid = grid;
        this.one = jacobian.rows(1);
        this.periodic = periodic;
        this.distances = jacobian.distances();
        this.opposites = distances.stream()
                .mapToInt(its -> distances.indexOf(new Element(its.input(), -its.dx(), -its.dy(), -its.dz())))
                .toArray();
        this.rows = distances.stream().mapToInt(this::firstOfRow).toArray();
        distances.forEach(any -> known.add(null));
    }

    private int firstOfRow(Element distance) {
        int first = 0;
        while (distances.get(first).dy() != distance.dy()
                || distances.get(first).dz() != distance.dz()) {
            first++;
        }
        return first;
    }

    /** Goes to a row. */
    void row(int toY, int toZ) {
        y = toY;
        z = toZ;
        for (int i = 0; i < known.size(); i++) {
            known.set(i, null);
        }
    }

    /**
     * Returns the even part in a cell of the row, in the order of the distances; 0 by what is behind a wall.
     *
     * @param own the derivatives there
     */
    double[] at(int x, double[] own) {
        double[] even = own.clone();
        for (int i = 0; i < own.length; i++) {
            Element distance = distances.get(i);
            int toX = neighbour(0, x, distance.dx());
            int toY = neighbour(1, y, distance.dy());
            int toZ = neighbour(2, z, distance.dz());
            if (toX < 0 || toY < 0 || toZ < 0) {
                even[i] = 0;
            } else {
                int opposite = opposites[i];
                double back = opposite < 0 ? 0 : row(rows[i], toY, toZ)[toX * own.length + opposite];
                even[i] = (own[i] + back) / 2;
            }
        }
        return even;
    }

    /** Returns the index of a neighbour along an axis; -1 behind a wall. */
    private int neighbour(int axis, int from, int distance) {
        int index = from + distance;
        if (index >= 0 && index < grid.cells(axis)) {
            return index;
        }
        return periodic.contains(axis) ? Math.floorMod(index, grid.cells(axis)) : -1;
    }

    private double[] row(int number, int atY, int atZ) {
        double[] its = known.get(number);
        if (its == null) {
            one.compute(atY, atY + 1, atZ);
            its = new double[grid.cells(0) * distances.size()];
            double[] cell = new double[distances.size()];
            for (int x = 0; x < grid.cells(0); x++) {
                one.get(x, atY, cell);
                System.arraycopy(cell, 0, its, x * cell.length, cell.length);
            }
            known.set(number, its);
        }
        return its;
    }
}
