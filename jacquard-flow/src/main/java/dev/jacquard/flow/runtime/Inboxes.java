package dev.jacquard.flow.runtime;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The inboxes of a stage, one per producer that has one.
 *
 * <p>Threads: {@link #add} is called before the start; {@link #size} by any thread, all else under the lock of the
 * stage.
 */
final class Inboxes {
    /** Further producers append under the lock. */
    private static final int MOST = 16;

    private Inbox[] boxes = {};

    /** Adds an inbox; null if there are enough. */
    @Nullable
    Inbox add() {
        if (boxes.length >= MOST) {
            return null;
        }
        Inbox box = new Inbox();
        boxes = Arrays.copyOf(boxes, boxes.length + 1);
        boxes[boxes.length - 1] = box;
        return box;
    }

    boolean isEmpty() {
        return boxes.length == 0;
    }

    /** Returns the number of items in all inboxes: see {@link Inbox#size()}. */
    int size() {
        int size = 0;
        for (Inbox box : boxes) {
            size += box.size();
        }
        return size;
    }

    /** Moves all items to {@code queue}; see {@link Inbox#drainTo}. */
    void drainTo(ItemQueue queue) {
        for (Inbox box : boxes) {
            box.drainTo(queue);
        }
    }

    /** Gives back the places of the items that were moved: see {@link Inbox#free}. */
    void free() {
        for (Inbox box : boxes) {
            box.free();
        }
    }

    /** Sets whether the stage must be notified of each item: see {@link Inbox#bell}. */
    void bell(boolean on) {
        for (Inbox box : boxes) {
            box.bell(on);
        }
    }
}
