package dev.jacquard.core.testing.random;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Layout;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Something that tasks access.
 *
 * @param number its place among the program's stores
 * @param kind its kind to the engine
 * @param type of its cells
 * @param shape its cells, in one to three dimensions
 * @param parent the number of the handle that this one is a part of, below its own; -1 for none
 * @param home where data lies
 * @param gap how many elements there are between its rows, where it is at home
 * @param kinds by which it is accessed; those of a part are those of the whole
 */
record Store(int number, Kind kind, Type type, Box shape, int parent, Home home, int gap, Kinds kinds) {
    /** The kinds of stores, as the engine sees them. */
    enum Kind {
        HANDLE,
        DATA,
        /** A resource without order; its cells are the test's. */
        LOCK
    }

    /** Where data lies. */
    enum Home {
        ARRAY,
        SEGMENT,
        ENGINE
    }

    int cells() {
        return (int) shape.elements();
    }

    Span all() {
        return Span.of(shape);
    }

    /** How its elements lie where the user has them. */
    Layout layout() {
        return gap == 0
                ? Layout.of(type.element, shape.extents())
                : Layout.matrix(type.element, shape.extent(0), shape.extent(1), shape.extent(1) + gap);
    }

    boolean isData() {
        return kind == Kind.DATA;
    }

    /** The access of a task with {@code touch}, which is of this store. */
    Access access(Touch touch) {
        Span span = touch.span();
        return span == null || touch.how() == How.NONE ? kinds.of(touch.how()) : kinds.of(touch.how(), span);
    }

    private String extents() {
        return Arrays.stream(shape.extents()).mapToObj(Long::toString).collect(Collectors.joining("x"));
    }

    String text() {
        return "s" + number + " " + kind + (isData() ? " " + type + " " + home : "") + " " + extents()
                + (gap > 0 ? " gap " + gap : "")
                + (parent < 0 ? "" : " part of s" + parent)
                + (kinds == Kinds.MODES ? "" : " by " + kinds);
    }
}
