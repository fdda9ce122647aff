package dev.jacquard.core.testing.random;

import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Box;

/**
 * A box of cells of a store.
 *
 * @param all the cells of the store
 */
record Span(Box box, Box all) {
    /** All cells of a store. */
    static Span of(Box all) {
        return new Span(all, all);
    }

    int size() {
        return (int) box.elements();
    }

    /** The number in the store of the {@code i}th cell. */
    int cell(int i) {
        long left = i;
        long cell = 0;
        long stride = 1;
        for (int d = box.dimensions() - 1; d >= 0; d--) {
            cell += (box.from(d) + left % box.extent(d)) * stride;
            left /= box.extent(d);
            stride *= all.extent(d);
        }
        return (int) cell;
    }

    boolean contains(Span other) {
        return box.contains(other.box);
    }

    boolean intersects(Span other) {
        return box.intersects(other.box);
    }

    Area area() {
        long[] bounds = new long[2 * box.dimensions()];
        for (int d = 0; d < box.dimensions(); d++) {
            bounds[2 * d] = box.from(d);
            bounds[2 * d + 1] = box.to(d) - 1;
        }
        return Area.of(bounds);
    }

    /** A box within this one. */
    Span within(Dice dice) {
        int dimensions = box.dimensions();
        long[] from = new long[dimensions];
        long[] to = new long[dimensions];
        rowOfVector(dice);
        for (int d = 0; d < dimensions; d++) {
            from[d] = box.from(d) + dice.below((int) box.extent(d));
        }
        rowOfVector(dice);
        for (int d = 0; d < dimensions; d++) {
            to[d] = from[d] + 1 + dice.below((int) (box.to(d) - from[d]));
        }
        return new Span(Box.of(from, to), all);
    }

    /** Draws which row of one, so that the programs of seeds stay. */
    private void rowOfVector(Dice dice) {
        if (box.dimensions() == 1) {
            dice.next();
        }
    }

    /** This box with a margin. */
    Span halo() {
        return new Span(box.grow(1, all), all);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < box.dimensions(); d++) {
            text.append(d == 0 ? "[" : ",").append(box.from(d)).append("..").append(box.to(d) - 1);
        }
        return text.append(']').toString();
    }
}
