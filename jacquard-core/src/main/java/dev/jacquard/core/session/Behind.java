package dev.jacquard.core.session;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Mode;

/**
 * The access of a task that waits for all earlier ones to some data, and leaves it as it is: it runs whatever became of
 * them, and a later reader of data that a failed or cancelled one was to write is still notified of that, since this
 * access covers none of theirs.
 */
enum Behind implements Access {
    /** The one. */
    ALL;

    @Override
    public boolean conflictsWith(Access earlier) {
        return earlier.reads() || earlier.writes();
    }

    @Override
    public boolean covers(Access other) {
        return other == this || !(other.reads() || other.writes());
    }

    /** False: it is not cancelled because of poisoned data. */
    @Override
    public boolean reads() {
        return false;
    }

    /** True: readers would not be waited for else. */
    @Override
    public boolean writes() {
        return true;
    }

    @Override
    public Access whole() {
        return Mode.WRITE;
    }
}
