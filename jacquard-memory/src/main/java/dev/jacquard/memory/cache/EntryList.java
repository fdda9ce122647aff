package dev.jacquard.memory.cache;

import org.jspecify.annotations.Nullable;

/** Entries in a row, linked through themselves: every change takes constant time, and none allocates. */
final class EntryList {
    private @Nullable CacheEntry first;
    private @Nullable CacheEntry last;

    boolean isEmpty() {
        return first == null;
    }

    /** Behind all others; it must not be in the list. */
    void add(CacheEntry entry) {
        CacheEntry before = last;
        entry.sooner = before;
        if (before == null) {
            first = entry;
        } else {
            before.later = entry;
        }
        last = entry;
    }

    void remove(CacheEntry entry) {
        CacheEntry before = entry.sooner;
        CacheEntry behind = entry.later;
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

    void moveToEnd(CacheEntry entry) {
        if (last != entry) {
            remove(entry);
            add(entry);
        }
    }

    /** The first that may go. Takes as long as there are some before it that may not: as many as tasks use. */
    @Nullable
    CacheEntry firstThatMayGo() {
        CacheEntry entry = first;
        while (entry != null && !entry.mayGo()) {
            entry = entry.later;
        }
        return entry;
    }
}
