package dev.jacquard.core.testing.random;

import dev.jacquard.core.access.Access;

/**
 * Something that tasks access.
 *
 * @param number its place among the program's stores
 * @param kind its kind to the engine
 * @param type of its cells
 * @param rows 1 for one dimension
 * @param parent the number of the handle that this one is a part of, below its own; -1 for none
 * @param home where data lies
 * @param kinds by which it is accessed; those of a part are those of the whole
 */
record Store(int number, Kind kind, Type type, int rows, int columns, int parent, Home home, Kinds kinds) {
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
        return rows * columns;
    }

    Span all() {
        return new Span(0, rows - 1, 0, columns - 1, columns, rows == 1);
    }

    boolean isData() {
        return kind == Kind.DATA;
    }

    /** The access of a task with {@code touch}, which is of this store. */
    Access access(Touch touch) {
        Span span = touch.span();
        return span == null || touch.how() == How.NONE ? kinds.of(touch.how()) : kinds.of(touch.how(), span);
    }

    String text() {
        return "s" + number + " " + kind + (isData() ? " " + type + " " + home : "") + " " + rows + "x" + columns
                + (parent < 0 ? "" : " part of s" + parent)
                + (kinds == Kinds.MODES ? "" : " by " + kinds);
    }
}
