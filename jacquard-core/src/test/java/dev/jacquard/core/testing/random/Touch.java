package dev.jacquard.core.testing.random;

import org.jspecify.annotations.Nullable;

/**
 * An access of a task to a store.
 *
 * @param span the cells; null for all, and all of the store's parts
 */
record Touch(int store, How how, @Nullable Span span) {
    boolean isWhole() {
        return span == null;
    }

    @Override
    public String toString() {
        Span its = span;
        return how + " s" + store
                + (its == null
                        ? ""
                        : its.flat()
                                ? "[" + its.column() + ".." + its.lastColumn() + "]"
                                : "[" + its.row() + ".." + its.lastRow() + "," + its.column() + ".." + its.lastColumn()
                                        + "]");
    }
}
