package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds boxes among many of one data, in time that does not grow with their number when they overlap little.
 *
 * <p>A few are a list. More are in grids, one for each order of magnitude of their extents, dimension by dimension: the
 * cells of a grid are as large as its boxes or a little larger, up to the next power of two, so that a box lies in two
 * cells per dimension at most, and rows are distinguished as well as blocks.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * @param <T> the type of things looked for; compared by identity
 */
final class BoxIndex<T extends Boxed> {
    /** The number of boxes that are as fast to go through as to look up. */
    private static final int FEW = 16;

    /** All, while there are few. */
    private final List<T> few = new ArrayList<>(1);
    /** Once there were more, all are in these, for good. */
    private final List<Grid<T>> grids = new ArrayList<>(0);

    private int size;

    /** Boxes with extents of the same order of magnitude in each dimension. */
    private static final class Grid<T extends Boxed> {
        /** The binary logarithms of the extents of a cell. */
        final int[] shifts;
        /** By a hash of the cell; where two cells meet in one, more is looked at than needs be. */
        final Map<Long, List<T>> cells = new HashMap<>();

        final Set<T> all = new LinkedHashSet<>();

        Grid(int[] shifts) {
            this.shifts = shifts;
        }
    }

    int size() {
        return size;
    }

    void add(T one) {
        size++;
        if (!grids.isEmpty()) {
            addToGrid(one);
            return;
        }
        few.add(one);
        if (few.size() > FEW) {
            few.forEach(this::addToGrid);
            few.clear();
        }
    }

    /** Removes something that is there. */
    void remove(T one) {
        size--;
        if (grids.isEmpty()) {
            few.remove(one);
            return;
        }
        Grid<T> grid = grid(one.box());
        grid.all.remove(one);
        forEachCell(grid, one.box(), key -> {
            List<T> cell = grid.cells.get(key);
            if (cell != null && cell.remove(one) && cell.isEmpty()) {
                grid.cells.remove(key);
            }
        });
    }

    /** Returns one with exactly this box for which {@code also} holds; null when there is none. */
    @Nullable
    T exactly(Box box, Predicate<? super T> also) {
        List<T> candidates = few;
        if (!grids.isEmpty()) {
            Grid<T> grid = grid(box);
            candidates = grid.cells.getOrDefault(cellOfFirst(grid, box), List.of());
        }
        for (int i = 0; i < candidates.size(); i++) {
            T one = candidates.get(i);
            if (one.box().equals(box) && also.test(one)) {
                return one;
            }
        }
        return null;
    }

    /** Returns one with all of {@code box}, or more, for which {@code also} holds; null when there is none. */
    @Nullable
    T containing(Box box, Predicate<? super T> also) {
        T found = firstContaining(few, box, also);
        for (int i = 0; i < grids.size() && found == null; i++) {
            Grid<T> grid = grids.get(i); // whatever has all of the box has its first element
            found = firstContaining(grid.cells.getOrDefault(cellOfFirst(grid, box), List.of()), box, also);
        }
        return found;
    }

    private static <T extends Boxed> @Nullable T firstContaining(
            List<T> candidates, Box box, Predicate<? super T> also) {
        for (int i = 0; i < candidates.size(); i++) {
            T one = candidates.get(i);
            if (one.box().contains(box) && also.test(one)) {
                return one;
            }
        }
        return null;
    }

    /** Returns the things that have indices in common with {@code box}, in a list of the caller's own. */
    List<T> meeting(Box box) {
        List<T> found = new ArrayList<>();
        addMeeting(few, box, found);
        for (Grid<T> grid : grids) {
            if (cellsOf(grid, box) > grid.all.size()) {
                addMeeting(grid.all, box, found);
            } else {
                forEachCell(grid, box, key -> {
                    for (T one : grid.cells.getOrDefault(key, List.of())) {
                        if (one.box().intersects(box) && key == cellOfFirstInBoth(grid, one.box(), box)) {
                            found.add(one); // else it is found in that cell
                        }
                    }
                });
            }
        }
        return found;
    }

    private static <T extends Boxed> void addMeeting(Iterable<T> all, Box box, List<T> found) {
        for (T one : all) {
            if (one.box().intersects(box)) {
                found.add(one);
            }
        }
    }

    /** Returns all, in a list of the caller's own. */
    List<T> all() {
        List<T> all = new ArrayList<>(few);
        grids.forEach(grid -> all.addAll(grid.all));
        return all;
    }

    // ---- grids

    private void addToGrid(T one) {
        Grid<T> grid = grid(one.box());
        grid.all.add(one);
        forEachCell(grid, one.box(), key -> {
            List<T> cell = grid.cells.computeIfAbsent(key, any -> new ArrayList<>(2));
            if (!cell.contains(one)) {
                cell.add(one);
            }
        });
    }

    /** The grid for boxes like this, which is made when there is none. */
    private Grid<T> grid(Box box) {
        int[] shifts = new int[box.dimensions()];
        Arrays.setAll(shifts, d -> 64 - Long.numberOfLeadingZeros(box.extent(d) - 1));
        for (Grid<T> known : grids) {
            if (Arrays.equals(known.shifts, shifts)) {
                return known;
            }
        }
        Grid<T> made = new Grid<>(shifts);
        grids.add(made);
        return made;
    }

    private interface OfCell {
        void look(long key);
    }

    private static <T extends Boxed> void forEachCell(Grid<T> grid, Box box, OfCell action) {
        forEachCell(grid, box, 0, 0, action);
    }

    private static <T extends Boxed> void forEachCell(Grid<T> grid, Box box, int d, long key, OfCell action) {
        if (d == grid.shifts.length) {
            action.look(key);
            return;
        }
        long last = (box.to(d) - 1) >> grid.shifts[d];
        for (long at = box.from(d) >> grid.shifts[d]; at <= last; at++) {
            forEachCell(grid, box, d + 1, mix(key, at), action);
        }
    }

    private static <T extends Boxed> double cellsOf(Grid<T> grid, Box box) {
        double cells = 1;
        for (int d = 0; d < grid.shifts.length; d++) {
            cells *= ((box.to(d) - 1) >> grid.shifts[d]) - (box.from(d) >> grid.shifts[d]) + 1;
        }
        return cells;
    }

    private static <T extends Boxed> long cellOfFirst(Grid<T> grid, Box box) {
        return cellOfFirstInBoth(grid, box, box);
    }

    /** The cell of the first element that both have. */
    private static <T extends Boxed> long cellOfFirstInBoth(Grid<T> grid, Box one, Box other) {
        long key = 0;
        for (int d = 0; d < grid.shifts.length; d++) {
            key = mix(key, Math.max(one.from(d), other.from(d)) >> grid.shifts[d]);
        }
        return key;
    }

    private static long mix(long key, long coordinate) {
        long mixed = (key + coordinate + 1) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 29);
    }
}
