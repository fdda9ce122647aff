package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import org.jspecify.annotations.Nullable;

/**
 * A part of some data as one write left it.
 *
 * @param version the number of that write; 1 for the first contents of the user's array
 * @param writer the task; null for the user
 */
record Piece(Box box, long version, @Nullable String writer) {
    String by() {
        return writer == null ? "the user" : "task \"" + writer + '"';
    }
}
