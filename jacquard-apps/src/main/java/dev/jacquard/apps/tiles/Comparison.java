package dev.jacquard.apps.tiles;

import dev.jacquard.components.program.Report;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * How far tiles were found from where they are.
 *
 * @param tiles how many there are
 * @param exact how many of them are not off
 * @param farthest the pixels by which the worst one is off
 */
record Comparison(int tiles, int exact, double farthest) {
    /**
     * Compares both. Their origins are matched by the median of the differences, so that one tile that is wrong does
     * not make all others so.
     *
     * @throws IllegalArgumentException if they are not of the same tiles
     * @throws ArithmeticException if a tile is farther off than {@code limit}
     */
    static Comparison of(List<TilePosition> positions, List<TilePosition> truth, double limit) {
        Map<String, TilePosition> where = new HashMap<>();
        truth.forEach(tile -> where.put(tile.file(), tile));
        if (positions.isEmpty() || positions.size() != where.size() || truth.size() != where.size()) {
            throw new IllegalArgumentException("positions of " + positions.size() + " tiles, and true ones of "
                    + where.size() + "; expected those of the same tiles");
        }
        int[] x = differences(positions, where, TilePosition::x);
        int[] y = differences(positions, where, TilePosition::y);
        int right = median(x);
        int down = median(y);
        double farthest = 0;
        int exact = 0;
        int worst = 0;
        for (int i = 0; i < x.length; i++) {
            double distance = Math.hypot(x[i] - right, y[i] - down);
            exact += distance == 0 ? 1 : 0;
            if (distance > farthest) {
                farthest = distance;
                worst = i;
            }
        }
        if (farthest > limit) {
            throw new ArithmeticException("tile " + positions.get(worst).file() + " was found " + farthest
                    + " pixels from where it is; expected " + limit + " at most");
        }
        return new Comparison(x.length, exact, farthest);
    }

    Report report() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("tiles", tiles);
        values.put("exact", exact);
        values.put("farthest", farthest);
        String line = String.format(
                Locale.ROOT,
                "%d of %d tiles were found where they are, the farthest is %.2f px off",
                exact,
                tiles,
                farthest);
        return new Report(List.of(line), values);
    }

    private static int[] differences(
            List<TilePosition> positions, Map<String, TilePosition> truth, ToIntFunction<TilePosition> coordinate) {
        return positions.stream()
                .mapToInt(tile -> {
                    TilePosition its = truth.get(tile.file());
                    if (its == null) {
                        throw new IllegalArgumentException("tile " + tile.file()
                                + " has no true position; expected one for each tile that was found");
                    }
                    return coordinate.applyAsInt(tile) - coordinate.applyAsInt(its);
                })
                .toArray();
    }

    private static int median(int[] values) {
        int[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
