package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The way in which a tree computes one field, or several at once. Immutable. */
interface Computation {
    /** Returns the fields that are computed. */
    Set<Tag<?>> computes();

    /** Returns the fields that are read. */
    Set<Tag<?>> reads();

    /** Returns the names of the parameters that are written in it. */
    Set<String> parameters();

    /** Returns the number of ghost layers of a field that are read; 0 for one that is not. */
    int ghostsRead(Grid grid, Tag<?> tag);

    /** Returns the number of ghost layers of a field that are computed with it. */
    int ghostsComputed(Tag<?> tag);

    /** Returns the formula, which may be computed inside others; null for a loop of the user's. */
    @Nullable
    Expr<?> formula();

    /** Returns the number of loops. */
    int loops(Grid grid);

    /** Returns the bytes that the loops read and write, each element once in each loop. */
    long movedBytes(Grid grid);

    /** Returns the same computation of other fields. */
    Computation renamed(UnaryOperator<Tag<?>> names);

    /**
     * Returns the tasks that compute the fields.
     *
     * @param lookup their fields, and the fields that are read
     * @param form of loops that are generated
     * @param tile the points along each axis that these compute at a time; empty for as many as suit them
     * @param watch finds the deviation of a formula's field; null to find none
     */
    Assignment assignment(
            FieldStore fields, FieldLookup lookup, Loops.Form form, List<Integer> tile, @Nullable Watch watch);

    /** Returns the bytes of a field, or of all components of a vector, without ghosts. */
    static long bytes(Grid grid, Tag<?> tag) {
        long points = 0;
        for (int axis = 0; axis < tag.components(grid); axis++) {
            points += grid.interior(tag.centring(axis)).points();
        }
        return points * grid.type().bytes();
    }
}
