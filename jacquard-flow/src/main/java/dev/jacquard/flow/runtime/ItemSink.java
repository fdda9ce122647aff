package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The end of an edge: takes items of its active producers, and closes after the last producer.
 *
 * <p>Both methods return a list of copies, linked through {@link TaskInstance#nextWoken}, that the caller must wake
 * once it holds no lock: {@code woken}, preceded by the copies that this call found asleep.
 */
sealed interface ItemSink permits Stage, OutputQueue {
    /** Takes the first {@code count} of {@code items}; the array stays the caller's. */
    @Nullable
    TaskInstance append(@Nullable Object[] items, int count, @Nullable TaskInstance woken);

    /** Records that one producer is done. */
    @Nullable
    TaskInstance producerDone(@Nullable TaskInstance woken);
}
