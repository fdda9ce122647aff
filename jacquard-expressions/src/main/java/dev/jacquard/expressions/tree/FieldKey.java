package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Tag;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The key of a field in a store: a tag, and the component of a vector.
 *
 * @param tag the tag
 * @param axis 0 for x, and of tags that are no vectors
 */
record FieldKey(Tag<?> tag, int axis) {
    // The record's own methods for these are linked where they are called, and slow until the JVM has compiled that.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldKey its && axis == its.axis && tag.equals(its.tag);
    }

    @Override
    public int hashCode() {
        return 31 * tag.hashCode() + axis;
    }

    /** Returns the name of the field. */
    String text() {
        return tag.isVector() ? tag.toString() + "." + "xyz".charAt(axis) : tag.toString();
    }

    /** Throws an exception if two tags lie at different points. */
    static void requireEqualLocations(Tag<?> one, Tag<?> other) {
        if (!one.location().equals(other.location())) {
            throw new IllegalArgumentException("\"" + one + "\" and \"" + other + "\" lie at different points: "
                    + one.centring(0).text() + " and " + other.centring(0).text());
        }
    }

    /**
     * Throws an exception if a field lies on faces across an axis that the grid lacks.
     *
     * @param what the text before the name of the tag
     */
    static void requireOnGrid(Grid grid, Tag<?> tag, String what) {
        for (int axis = grid.dimensions(); axis < Grid.MOST_DIMENSIONS; axis++) {
            if (!tag.isVector() && tag.centring(0) == Centring.face(axis)) {
                throw new IllegalArgumentException(what + "\"" + tag + "\" on faces across " + "xyz".charAt(axis)
                        + ", which a grid of " + grid + " lacks");
            }
        }
    }

    /** Returns the key of a tag that is to have memory of the user's, and has none that was not freed. */
    static FieldKey unused(Tag<?> tag, Grid grid, Map<FieldKey, GridField> fields, OldValues old) {
        Objects.requireNonNull(tag, "tag");
        FieldKey key = new FieldKey(tag, 0);
        GridField field = fields.get(key);
        if (tag.isVector() || (field != null && !field.data().isFreed())) {
            throw new IllegalArgumentException("\"" + tag + "\" "
                    + (tag.isVector()
                            ? "is a vector: give each of its components, as a field on faces across one axis"
                            : "has memory already: give it yours before it is set, computed or bound"));
        }
        if (old.isUnstored(tag)) {
            throw new IllegalArgumentException("\"" + tag + "\" is computed without memory by a tree that was submitted"
                    + " or recorded: give it yours before, or keep it (ExpressionTree.keep)");
        }
        requireOnGrid(grid, tag, "there is no field ");
        return key;
    }

    /** Returns the same values under the name of this. */
    GridField renamed(GridField field) {
        return new GridField(text(), field.grid(), field.centring(), field.data());
    }
}
