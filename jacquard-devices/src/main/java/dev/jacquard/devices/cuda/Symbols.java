package dev.jacquard.devices.cuda;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;

/** Finds functions. */
interface Symbols {
    /**
     * The address of a function.
     *
     * @param type how it is called; tests compare it with the vendor's headers
     * @throws IllegalStateException when there is no such function
     */
    MemorySegment find(String name, FunctionDescriptor type);

    /** Returns true if there is such a function, which newer versions only have. */
    boolean has(String name);
}
