package dev.jacquard.core.testing.random;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Layout;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
 * @param aligned how the engine's memory of data is aligned; null where it has no gaps
 */
record Store(
        int number,
        Kind kind,
        Type type,
        Box shape,
        int parent,
        Home home,
        int gap,
        Kinds kinds,
        @Nullable Aligned aligned) {
    /** The kinds of stores, as the engine sees them. */
    enum Kind {
        HANDLE,
        DATA,
        /** A resource without order; its cells are the test's. */
        LOCK,
        /** A handle without order: others learn of those who fail while they hold it. */
        GUARDED;

        boolean isUnordered() {
            return this == LOCK || this == GUARDED;
        }
    }

    /** Where data lies. */
    enum Home {
        ARRAY,
        SEGMENT,
        ENGINE
    }

    /**
     * Rows that begin on boundaries.
     *
     * @param first how many ghosts there are at each end of a row
     * @param shift by how many boundaries all is shifted
     */
    record Aligned(int first, int shift) {}

    Store(int number, Kind kind, Type type, Box shape, int parent, Home home, int gap, Kinds kinds) {
        this(number, kind, type, shape, parent, home, gap, kinds, null);
    }

    int cells() {
        return (int) shape.elements();
    }

    Span all() {
        return Span.of(shape);
    }

    /** How its elements lie where the user has them, or the engine on the host. */
    Layout layout() {
        if (aligned != null) {
            return Layout.aligned(type.element, aligned.first, aligned.shift, shape.extents());
        }
        return gap == 0
                ? Layout.of(type.element, shape.extents())
                : Layout.matrix(type.element, shape.extent(0), shape.extent(1), shape.extent(1) + gap);
    }

    /** The bytes that all of it takes on the host, besides the user's memory; 0 for what is no data. */
    long bytesOnHost() {
        return isData() && home == Home.ENGINE ? layout().bytes() : 0;
    }

    /** The bytes of its elements; 0 for what is no data. */
    long bytes() {
        return isData() ? (long) cells() * type.element.bytes() : 0;
    }

    boolean isData() {
        return kind == Kind.DATA;
    }

    /** The name of what the engine has of it. */
    String name() {
        return "s" + number;
    }

    /** The access of a task with {@code touch}, which is of this store. */
    Access access(Touch touch) {
        Span span = touch.span();
        return span == null || touch.how() == How.NONE ? kinds.of(touch.how()) : kinds.of(touch.how(), span);
    }

    /** With its data elsewhere. */
    Store at(Home other) {
        return new Store(number, kind, type, shape, parent, other, gap, kinds, aligned);
    }

    private String extents() {
        return Arrays.stream(shape.extents()).mapToObj(Long::toString).collect(Collectors.joining("x"));
    }

    String text() {
        return "s" + number + " " + kind + (isData() ? " " + type + " " + home : "") + " " + extents()
                + (gap > 0 ? " gap " + gap : "")
                + (aligned == null ? "" : " ghosts " + aligned.first + " shift " + aligned.shift)
                + (parent < 0 ? "" : " part of s" + parent)
                + (kinds == Kinds.MODES ? "" : " by " + kinds);
    }
}
