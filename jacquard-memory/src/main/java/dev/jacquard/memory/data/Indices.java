package dev.jacquard.memory.data;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * Checks of the elements that accessors of {@link Memory} are asked for. One comparison tells whether there is anything
 * to look at: an element type that is not the layout's, or a layout that checks indices.
 */
final class Indices {
    private Indices() {}

    /** Returns the place of the element at {@code index} of a vector, in elements from the first. */
    static long at(Layout layout, DataType asked, long index) {
        if (layout.unchecked != asked) {
            requireElement(layout, asked, index);
        }
        return index;
    }

    /** Returns the place of the element of a matrix, in elements from the first. */
    static long at(Layout layout, DataType asked, long row, long column) {
        if (layout.unchecked != asked) {
            requireElement(layout, asked, row, column);
        }
        return row * layout.stride(0) + column;
    }

    /**
     * Returns the view by which messages name {@code part} of the elements that {@code whole} is the layout of, which
     * checks.
     *
     * @throws IndexOutOfBoundsException when it goes beyond them
     */
    static View within(View whole, Box part) {
        Box all = whole.box();
        if (!all.relativeTo(all).contains(part)) {
            throw new IndexOutOfBoundsException("part " + part + " is not within " + text(whole));
        }
        long[] from = new long[all.dimensions()];
        long[] to = new long[all.dimensions()];
        for (int d = 0; d < from.length; d++) {
            from[d] = all.from(d) + part.from(d);
            to[d] = all.from(d) + part.to(d);
        }
        return new View(whole.data(), Box.of(from, to));
    }

    /** An index of memory with several dimensions counts the gaps between its rows, too, which are not the part's. */
    private static void requireElement(Layout layout, DataType asked, long index) {
        View part = part(layout, asked);
        if (!layout.isAligned() && !has(layout, index)) {
            throw beyond(part, index);
        }
    }

    private static boolean has(Layout layout, long index) {
        if (index < 0) {
            return false;
        }
        long rest = index;
        for (int d = 0; d < layout.dimensions(); d++) {
            if (rest / layout.stride(d) >= layout.extent(d)) {
                return false;
            }
            rest %= layout.stride(d);
        }
        return true;
    }

    private static void requireElement(Layout layout, DataType asked, long row, long column) {
        View part = part(layout, asked);
        if (layout.dimensions() != 2) {
            requireElement(layout, asked, row * layout.stride(0) + column);
            return;
        }
        // Loops over aligned rows may run into the padding after them.
        long columns = layout.isAligned() ? layout.stride(0) : layout.extent(1);
        if (row < 0 || row >= layout.extent(0) || column < 0 || column >= columns) {
            throw beyond(part, row, column);
        }
    }

    /** Returns the part with elements in a layout that checks; throws when it has elements of another type. */
    private static View part(Layout layout, DataType asked) {
        if (layout.type() != asked) {
            throw wrongType(layout, asked);
        }
        return Objects.requireNonNull(layout.checked);
    }

    private static IndexOutOfBoundsException beyond(View part, long... index) {
        return beyond(part.box(), index, " of " + part, "");
    }

    /**
     * Returns the exception for an element that is not in the memory of a layout.
     *
     * @param found the exception of the memory; returned itself if the layout checks, and so has thrown it
     */
    static IndexOutOfBoundsException beyond(Layout layout, IndexOutOfBoundsException found, long... index) {
        if (layout.checked != null) {
            return found;
        }
        IndexOutOfBoundsException beyond = beyond(
                layout.box(), index, " of this part, " + layout, "; checking mode, as under java -ea, names the data");
        beyond.initCause(found);
        return beyond;
    }

    private static IndexOutOfBoundsException beyond(Box box, long[] index, String of, String more) {
        long[] last = box.extents();
        for (int d = 0; d < last.length; d++) {
            last[d]--;
        }
        return new IndexOutOfBoundsException(
                "index " + Arrays.toString(index) + " is beyond " + elements(box) + of + ": indices count from the"
                        + " part's first element, and go from " + Arrays.toString(new long[last.length]) + " to "
                        + Arrays.toString(last) + more);
    }

    /** Throws unless {@code part} is a part of the elements of {@code layout}. */
    static void requireWithin(Layout layout, Box part) {
        Box all = layout.box();
        if (layout.checked == null && (part.dimensions() != all.dimensions() || !all.contains(part))) {
            throw new IndexOutOfBoundsException("part " + part + " is not within " + elements(all) + " of this part, "
                    + layout + ": indices count from its first element");
        }
    }

    private static String elements(Box box) {
        StringBuilder text = new StringBuilder("the ");
        for (int d = 0; d < box.dimensions(); d++) {
            text.append(d == 0 ? "" : " x ").append(box.extent(d));
        }
        return text.append(" elements").toString();
    }

    private static String text(View part) {
        return elements(part.box()) + " of " + part;
    }

    private static IllegalStateException wrongType(Layout layout, DataType asked) {
        String type = layout.type().javaName();
        String here = Character.toUpperCase(type.charAt(0)) + type.substring(1);
        return new IllegalStateException(
                "the body asks for elements of type " + asked.javaName() + ", and there are " + layout
                        + ": call get" + here + " and set" + here + ", or declare the data as "
                        + asked.name().toLowerCase(Locale.ROOT));
    }
}
