package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Field;
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

    /** Returns the same values under the name of this. */
    Field renamed(Field field) {
        return new Field(text(), field.grid(), field.centring(), field.data());
    }
}
