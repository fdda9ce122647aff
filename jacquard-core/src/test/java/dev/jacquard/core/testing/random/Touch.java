package dev.jacquard.core.testing.random;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.AreaAccess;
import org.jspecify.annotations.Nullable;

/**
 * An access of a task to a store.
 *
 * @param span the cells; null for all, and all of the store's parts
 */
record Touch(int store, How how, @Nullable Span span) {
    Access access() {
        return span == null || how == How.NONE ? how.mode : new AreaAccess(how.mode, span.area());
    }

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
