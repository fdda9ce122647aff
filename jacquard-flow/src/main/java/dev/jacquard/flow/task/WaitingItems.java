package dev.jacquard.flow.task;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The items that wait for a task, in place of a first-in, first-out queue: an edge of the user's own kind. It decides
 * which item is next, and may drop items: keep only the newest, one for each key, or a limited number. See
 * {@link dev.jacquard.flow.FlowTask#queue}.
 *
 * <p>Each item that comes leaves once: {@link #next} returns it, or it is reported as dropped. An item that stands for
 * several merged ones leaves for one of them, and the others are reported.
 *
 * <p>Threads: called by one thread at a time, under the lock of the task. So no method may block, nor use the run,
 * since the run's methods throw there. An exception fails the run.
 *
 * @param <A> the type of the items
 */
public interface WaitingItems<A> {
    /**
     * Adds an item.
     *
     * @param dropped to be called, before this method returns, for each item that leaves without being the next
     */
    void add(A item, Consumer<? super A> dropped);

    /**
     * Removes the next item, and returns it. Called only while some item waits.
     *
     * @param dropped as for {@link #add}
     * @return the item; null if all items that waited were dropped
     */
    @Nullable
    A next(Consumer<? super A> dropped);
}
