package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import java.util.stream.IntStream;

/**
 * Loops that a module above makes of formulas, over stores of doubles with one shape. Each sets elements of a target to
 * {@code ||one − other| − number|}: of whole numbers below 2 to the power 40 it is one. A target that is updated is
 * {@code one}.
 *
 * <p>A loop without ghosts sets all elements, by those at their places. For one with ghosts the outermost elements
 * along each extent are ghosts, which it does not set, though those at the ends of rows may hold anything behind it;
 * {@code other} stands for the difference, without its sign, of the two beside the place along the last extent.
 *
 * <p>Threads: any.
 */
public interface Formulas {
    /** Returns the loop as the body of a task of the host, which looks its memory up first. */
    BindingBody body(Data target, Data one, Data other, long number, boolean ghosts);

    /** Returns the loop as a kernel for the host and for devices. */
    Kernel kernel(Data target, Data one, Data other, long number, boolean ghosts);

    /** Returns the body of a task that fills the ghosts, along the last extent first. */
    BindingBody filling(Data data, Walls walls);

    /** Returns the same as a kernel for the host and for devices; nothing varies at the walls. */
    Kernel fillingKernel(Data data, Walls walls);

    /** Returns what submits trees in a session. */
    Trees trees(Session session);

    /** Trees of one session. Threads: any. */
    interface Trees extends AutoCloseable {
        /**
         * Submits some loops that do together what one does, with temporaries between them.
         *
         * @param where a graph, the inside of a task that holds all this, or what records
         */
        void submit(Tasks where, Data target, Data one, Data other, long number, boolean ghosts);

        /** Gives temporaries back. No tree is live. */
        @Override
        void close();
    }

    /** Returns true if there are elements between the ghosts. */
    static boolean hasInside(Box shape) {
        return IntStream.range(0, shape.dimensions()).allMatch(axis -> shape.extent(axis) > 2);
    }

    /** Returns the value that a loop leaves. */
    static long value(long one, long other, long number) {
        return Math.abs(Math.abs(one - other) - number);
    }
}
