package dev.jacquard.memory.coherence;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The copies to start, and the tasks to go on with, once the lock is given back. Confined to one caller. */
final class DeferredActions {
    /** Null before the first: most claims need neither. */
    private @Nullable List<Transfer> copies;

    private @Nullable List<Runnable> others;

    /** Lets a copy be started. */
    void start(Transfer copy) {
        if (copies == null) {
            copies = new ArrayList<>(1);
        }
        copies.add(copy);
    }

    /** Lets {@code action} be run after the start of the copies. */
    void then(Runnable action) {
        if (others == null) {
            others = new ArrayList<>(1);
        }
        others.add(action);
    }

    /** Returns true if a copy is to be started. */
    boolean hasCopies() {
        return copies != null;
    }

    /** Starts the copies and runs the actions. Without the lock. */
    void perform(Consumer<? super Transfer> mover) {
        if (copies != null) {
            copies.forEach(mover);
        }
        if (others != null) {
            others.forEach(Runnable::run);
        }
    }
}
