package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Tag;

/**
 * The key of a field in a store: a tag, and the component of a vector.
 *
 * @param tag the tag
 * @param axis 0 for x, and of tags that are no vectors
 */
record FieldKey(Tag<?> tag, int axis) {
    /** Returns the name of the field. */
    String text() {
        return tag.isVector() ? tag.name() + "." + "xyz".charAt(axis) : tag.name();
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

    /** Returns the same values under the name of this. */
    Field renamed(Field field) {
        return new Field(text(), field.grid(), field.centring(), field.data());
    }
}
