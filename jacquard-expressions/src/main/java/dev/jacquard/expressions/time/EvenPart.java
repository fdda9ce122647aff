package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Value.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The even part of a rate's derivatives: half the sum of that of a cell's rate by a neighbour and that of the
 * neighbour's rate by the cell; and the latter by themselves, the column of the cell. Confined to one thread.
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
        double[] even = new double[own.length];
        for (int i = 0; i < own.length; i++) {
            even[i] = isInside(x, i) ? (own[i] + back(x, i)) / 2 : 0;
        }
        return even;
    }

    /**
     * Returns the derivatives of the rates of the cells around by a cell of the row, in the order of the distances to
     * them; 0 for those in a direction in which a wall lies on either side: of one of a pair alone waves would grow.
     */
    double[] column(int x) {
        double[] column = new double[distances.size()];
        for (int i = 0; i < column.length; i++) {
            column[i] = isInside(x, i) && (opposites[i] < 0 || isInside(x, opposites[i])) ? back(x, i) : 0;
        }
        return column;
    }

    /** Returns the greatest derivative of a rate by the cell itself, of a cell of the row and those around. */
    double self(int x) {
        int own = distances.indexOf(new Element(distances.getFirst().input(), 0, 0, 0));
        double most = 0;
        for (int i = 0; i < distances.size() && own >= 0; i++) {
            Element distance = distances.get(i);
            if (isInside(x, i)) {
                double[] its = row(rows[i], neighbour(1, y, distance.dy()), neighbour(2, z, distance.dz()));
                most = Math.max(most, its[neighbour(0, x, distance.dx()) * distances.size() + own]);
            }
        }
        return most;
    }

    /** Returns true if the cell to which a distance leads is none behind a wall. */
    private boolean isInside(int x, int i) {
        Element distance = distances.get(i);
        return neighbour(0, x, distance.dx()) >= 0
                && neighbour(1, y, distance.dy()) >= 0
                && neighbour(2, z, distance.dz()) >= 0;
    }

    /** Returns the derivative of the rate of the cell to which a distance leads, by the cell that it leads from. */
    private double back(int x, int i) {
        Element distance = distances.get(i);
        if (opposites[i] < 0) {
            return 0;
        }
        double[] its = row(rows[i], neighbour(1, y, distance.dy()), neighbour(2, z, distance.dz()));
        return its[neighbour(0, x, distance.dx()) * distances.size() + opposites[i]];
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
