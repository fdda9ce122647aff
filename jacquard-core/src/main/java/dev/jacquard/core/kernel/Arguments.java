package dev.jacquard.core.kernel;

import dev.jacquard.memory.data.Memory;

/**
 * The arguments of a kernel on the host: the numbers that the task was submitted with, then the task's data, in the
 * order of the kernel's parameters ({@link Kernel#parameters(KernelParameter...)}), or else of the task's accesses.
 * Valid while the body runs.
 */
public interface Arguments {
    /** Returns the number at {@code index}. */
    double number(int index);

    /**
     * Returns the whole number at {@code index}.
     *
     * @throws IllegalArgumentException if the task was given a {@code Float} or {@code Double}
     */
    long integer(int index);

    /** Returns the data at {@code index}. */
    Memory memory(int index);

    /**
     * Returns the number with that name.
     *
     * @throws IllegalArgumentException if the kernel has no parameter with that name ({@link Kernel#parameters}), or
     *     the parameter is data
     */
    double number(String name);

    /** Returns the whole number with that name. Throws like {@link #number(String)} and {@link #integer(int)}. */
    long integer(String name);

    /**
     * Returns the data with that name: the name of a parameter of the kernel, or else of the data itself.
     *
     * @throws IllegalArgumentException if no data has that name, or more than one
     */
    Memory memory(String name);

    /** Returns the context of the task. */
    KernelContext context();
}
