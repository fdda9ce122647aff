package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Memory;

/**
 * What a kernel is given on the host: the numbers that the task was submitted with, then each of its data in the order
 * of its accesses. Valid while the body runs.
 */
public interface Arguments {
    /** The number at {@code index}. */
    double number(int index);

    /**
     * The whole number at {@code index}.
     *
     * @throws IllegalArgumentException when the task was given a {@code Float} or {@code Double}
     */
    long integer(int index);

    /** The data at {@code index}. */
    Memory memory(int index);

    /**
     * The number of that name.
     *
     * @throws IllegalArgumentException when the kernel has no parameter of that name ({@link Kernel#parameters}), or
     *     that is data
     */
    double number(String name);

    /** The whole number of that name; throws like {@link #number(String)} and {@link #integer(int)}. */
    long integer(String name);

    /**
     * The data of that name: of the kernel's parameter, or else of the data itself.
     *
     * @throws IllegalArgumentException when there is none, or more than one
     */
    Memory memory(String name);

    /** The task. */
    TaskContext context();
}
