package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.CopyShape;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way of bytes from the memory of one space to that of another, without a replica in between.
 *
 * <p>Threads: any.
 */
@FunctionalInterface
interface TransferPath {
    /**
     * Moves bytes.
     *
     * @param from memory that the first space has allocated
     * @param to memory that the other space has allocated
     * @param careful true if {@code to} must stay as it is until all bytes have left the first space
     * @param then called when the bytes are there, with null, or with the failure; by any thread
     */
    void move(Object from, Object to, List<CopyShape> shapes, boolean careful, Consumer<@Nullable Throwable> then);

    /** Returns true if such a move passes through host memory that belongs to neither space. */
    default boolean isStaged(Object from, Object to, boolean careful) {
        return false;
    }

    /** Returns true if a move that fails may leave a part of the bytes where they go, and a careful one does not. */
    default boolean canBeCareful() {
        return false;
    }

    /**
     * Returns the space with the device that was found lost by a move that failed; null when that is none.
     *
     * @param from the first space
     * @param told true if the device that was to move the bytes says so, false if another cause does
     */
    default @Nullable Space lost(Space from, boolean told) {
        return null;
    }
}
