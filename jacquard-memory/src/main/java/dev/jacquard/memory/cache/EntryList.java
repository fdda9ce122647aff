package dev.jacquard.memory.cache;

import dev.jacquard.memory.cache.CachePolicy.Entry;
import org.jspecify.annotations.Nullable;

/** Entries in a row, linked through themselves: every change takes constant time, and none allocates. */
final class EntryList {
    private @Nullable Entry first;
    private @Nullable Entry last;

    boolean isEmpty() {
        return first == null;
    }

    /** Adds an entry after all others; it must not be in the list. */
    void add(Entry entry) {
        Entry before = last;
        entry.sooner = before;
        if (before == null) {
            first = entry;
        } else {
            before.later = entry;
        }
        last = entry;
    }

    void remove(Entry entry) {
        Entry before = entry.sooner;
        Entry behind = entry.later;
        if (before == null) {
            first = behind;
        } else {
            before.later = behind;
        }
        if (behind == null) {
            last = before;
        } else {
            behind.sooner = before;
        }
        entry.sooner = null;
        entry.later = null;
    }

    void moveToEnd(Entry entry) {
        if (last != entry) {
            remove(entry);
            add(entry);
        }
    }

    /** The first that may go. Takes as long as there are some before it that may not: as many as tasks use. */
    @Nullable
    Entry firstThatMayGo() {
        Entry entry = first;
        while (entry != null && !entry.mayGo()) {
            entry = entry.later;
        }
        return entry;
    }
}
