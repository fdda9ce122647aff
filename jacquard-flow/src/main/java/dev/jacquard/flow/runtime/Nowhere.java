package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/** Drops items, where the graph says that they end. Immutable. */
enum Nowhere implements ItemSink {
    /** The one. */
    SINK;

    @Override
    public @Nullable Wakeable append(
            @Nullable Inbox none, @Nullable Object[] items, int count, @Nullable Wakeable woken) {
        return woken;
    }

    @Override
    public @Nullable Wakeable producerDone(@Nullable Wakeable woken) {
        return woken;
    }
}
