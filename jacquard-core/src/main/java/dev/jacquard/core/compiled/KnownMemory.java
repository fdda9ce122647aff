package dev.jacquard.core.compiled;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a task has asked for in runs whose data is where it is now. Asked for again, it is found without a
 * look into the claim of the run.
 *
 * <p>Threads: the task's body, which may ask from several threads. Entries are immutable; one that another thread
 * overwrites is made again.
 */
final class KnownMemory {
    /** The most parts that are kept. */
    private static final int MOST = 32;

    /** The entries, the last one first; null when there is none. */
    private @Nullable Entry last;

    private record Entry(
            Data data,
            Box part,
            Memory memory,
            int size,
            @Nullable Entry before) {}

    /** Returns the memory of a part; null when it is not known. */
    @Nullable
    Memory of(Data data, Box part) {
        for (Entry entry = last; entry != null; entry = entry.before) {
            if (entry.data == data && entry.part.equals(part)) {
                return entry.memory;
            }
        }
        return null;
    }

    /** Keeps the memory of a part that the task may touch. */
    void keep(Data data, Box part, Memory memory) {
        Entry before = last;
        int size = before == null ? 1 : before.size + 1;
        last = size > MOST ? new Entry(data, part, memory, 1, null) : new Entry(data, part, memory, size, before);
    }

    /** Forgets all of it: something has moved. Before the tasks of a run. */
    void forget() {
        last = null;
    }
}
