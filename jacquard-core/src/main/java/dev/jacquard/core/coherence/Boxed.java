package dev.jacquard.core.coherence;

import dev.jacquard.core.data.Box;

/** Something with a place among indices. */
interface Boxed {
    /** Constant. */
    Box box();
}
