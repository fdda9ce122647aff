package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;

/** A part that live tasks are to access in a space. Guarded by the lock of the {@link Coherence}. */
final class Want implements Boxed {
    final Box box;
    final Space space;
    int tasks;

    Want(Box box, Space space) {
        this.box = box;
        this.space = space;
    }

    @Override
    public Box box() {
        return box;
    }
}
