package dev.jacquard.core.testing.random;

/**
 * Something that tasks access.
 *
 * @param number its place among the program's stores
 * @param kind its kind to the engine
 * @param type of its cells
 * @param rows 1 for one dimension
 * @param parent the number of the handle that this one is a part of, below its own; -1 for none
 * @param home where data lies
 */
record Store(int number, Kind kind, Type type, int rows, int columns, int parent, Home home) {
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

    String text() {
        return "s" + number + " " + kind + (isData() ? " " + type + " " + home : "") + " " + rows + "x" + columns
                + (parent < 0 ? "" : " part of s" + parent);
    }
}
