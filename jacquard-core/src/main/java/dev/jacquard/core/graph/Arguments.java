package dev.jacquard.core.graph;

import dev.jacquard.core.data.Memory;

/**
 * What a kernel is given on the host: the numbers that the task was submitted with, then each of its data in the order of its
 * accesses. Valid while the body runs.
 */
public interface Arguments {
    /** The number at {@code index}. */
    double number(int index);

    /** The whole number at {@code index}. */
    long integer(int index);

    /** The data at {@code index}. */
    Memory memory(int index);

    /** The task. */
    TaskContext context();
}
