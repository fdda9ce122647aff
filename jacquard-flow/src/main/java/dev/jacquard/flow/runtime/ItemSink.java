package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The end of an edge: takes items of its active producers, and closes after the last.
 *
 * <p>Both methods return copies that the caller must wake once it holds no lock: {@code woken} with those that this
 * call found asleep put in front (a list through {@link TaskInstance#nextWoken}).
 */
sealed interface ItemSink permits Stage, OutputQueue {
    /** Takes the first {@code count} of {@code items}; the array stays the caller's. */
    @Nullable
    TaskInstance append(@Nullable Object[] items, int count, @Nullable TaskInstance woken);

    /** One producer is done. */
    @Nullable
    TaskInstance producerDone(@Nullable TaskInstance woken);
}
