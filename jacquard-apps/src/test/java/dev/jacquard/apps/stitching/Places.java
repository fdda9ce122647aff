package dev.jacquard.apps.stitching;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Where tiles lie, by file name; x and y. */
record Places(Map<String, double[]> places) {
    static final int AXES = 2;

    Set<String> tiles() {
        return places.keySet();
    }

    /** The coordinate of {@code tile} along {@code axis}: 0 for x, 1 for y. */
    double at(String tile, int axis) {
        return Objects.requireNonNull(places.get(tile), tile)[axis];
    }

    /** The displacement from one tile to another. */
    double step(String from, String to, int axis) {
        return at(to, axis) - at(from, axis);
    }
}
