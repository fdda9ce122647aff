package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.data.Data;

/**
 * Loops that a module above makes of formulas, over stores of doubles with one shape. Each sets all elements of a
 * target to {@code ||one − other| − number|}, of the elements at their places: of whole numbers below 2 to the power 40
 * it is one. A target that is updated is {@code one}.
 *
 * <p>Threads: any.
 */
public interface Formulas {
    /** Returns the loop as the body of a task of the host, which looks its memory up first. */
    BindingBody body(Data target, Data one, Data other, long number);

    /** Returns the loop as a kernel for the host and for devices. */
    Kernel kernel(Data target, Data one, Data other, long number);

    /** Returns the value that a loop leaves. */
    static long value(long one, long other, long number) {
        return Math.abs(Math.abs(one - other) - number);
    }
}
