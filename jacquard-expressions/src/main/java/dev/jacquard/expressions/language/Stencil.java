package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Grid;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A weighted sum of neighbours, at fixed distances. Immutable.
 *
 * @param points the neighbours, in the order in which they are added up
 */
public record Stencil(List<Point> points) {
    /**
     * A neighbour.
     *
     * @param dx the distance along x, in cells
     * @param dy the distance along y
     * @param dz the distance along z
     * @param weight the factor of its value
     */
    public record Point(int dx, int dy, int dz, double weight) {
        public Point {
            long most = Math.max(distance(dx), Math.max(distance(dy), distance(dz)));
            if (most > Grid.MOST_GHOSTS) {
                throw new IllegalArgumentException("a stencil reaches at most " + Grid.MOST_GHOSTS
                        + " cells far, as many as a grid has ghost layers, not " + most);
            }
        }

        private static long distance(int offset) {
            return Math.abs((long) offset);
        }
    }

    public Stencil {
        Objects.requireNonNull(points, "points");
        points = List.copyOf(points);
        if (points.isEmpty()) {
            throw new IllegalArgumentException("a stencil needs at least 1 point");
        }
    }

    /** Returns a stencil without points, to which {@link Builder#at} adds some. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects points. Confined to one thread. */
    public static final class Builder {
        private final List<Point> points = new ArrayList<>();

        private Builder() {}

        /** Adds a neighbour. */
        public Builder at(int dx, int dy, int dz, double weight) {
            points.add(new Point(dx, dy, dz, weight));
            return this;
        }

        /** Returns the stencil. */
        public Stencil build() {
            return new Stencil(points);
        }
    }
}
