package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;

/** Something with a place among indices. */
interface Boxed {
    /** Constant. */
    Box box();
}
