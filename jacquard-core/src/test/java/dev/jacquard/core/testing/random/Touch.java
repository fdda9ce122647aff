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
        return how + " s" + store + (span == null ? "" : span.toString());
    }
}
