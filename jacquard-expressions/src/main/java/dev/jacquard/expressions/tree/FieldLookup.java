package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Tag;

/** The fields that loops read and write, and a note that they do. */
interface FieldLookup {
    /** Returns the field of a tag; of a vector the component along an axis. */
    GridField field(Tag<?> tag, int axis);

    /** Returns the same field, for a task that writes all of it: no earlier values are asked for. */
    default GridField written(Tag<?> tag, int axis) {
        return field(tag, axis);
    }

    /**
     * Returns true if a task of the same run computes the field before the loops that read it. Its values are new for
     * them, even if another run has since noted that it computed the same expression elsewhere.
     */
    default boolean isComputedBefore(Tag<?> tag) {
        return false;
    }

    /**
     * Notes that a loop with these fields is submitted, or begins in a run of a recorded graph: the values that it
     * computes without writing them to the fields of the store are newer from now on than the values that are there.
     */
    default void begun() {}

    /** Returns the fields of a store. */
    static FieldLookup of(FieldStore fields) {
        return new FieldLookup() {
            @Override
            public GridField field(Tag<?> tag, int axis) {
                return fields.field(tag, axis);
            }

            @Override
            public GridField written(Tag<?> tag, int axis) {
                fields.old.setUnstored(tag, null); // a tree may have computed it without its own memory
                return fields.field(tag, axis);
            }
        };
    }
}
