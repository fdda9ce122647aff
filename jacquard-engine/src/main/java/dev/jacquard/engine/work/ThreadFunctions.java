package dev.jacquard.engine.work;

import org.jspecify.annotations.Nullable;

/**
 * The functions of tasks that threads of the user's run, outside of nodes. An engine pauses the innermost while the
 * thread runs nodes inside of it, whichever session the task is of.
 *
 * <p>Threads: each knows its own.
 */
public final class ThreadFunctions {
    private static final ThreadLocal<@Nullable Pausable> INNERMOST = new ThreadLocal<>();
    /**
     * True from when any thread began to run a function. A thread that runs one has set this itself before, so plain
     * reads are enough; where there are none, which is so in most programs, nothing is looked up.
     */
    private static boolean any;

    private ThreadFunctions() {}

    /** The innermost function that the calling thread runs; null when it runs none. */
    public static @Nullable Pausable innermost() {
        return INNERMOST.get();
    }

    /** The calling thread runs {@code function} from now on, or none if null: inside of the innermost, or instead. */
    public static void innermost(@Nullable Pausable function) {
        if (function == null) {
            INNERMOST.remove();
        } else {
            any = true;
            INNERMOST.set(function);
        }
    }

    /**
     * Pauses the innermost function that the calling thread runs, if it is not paused yet. The thread runs nodes inside
     * of it from here on, until {@link Pausable#goOn}.
     *
     * @return the function; null when there is none to pause
     */
    public static @Nullable Pausable pauseInnermost() {
        Pausable its = any ? INNERMOST.get() : null;
        return its != null && its.pause() ? its : null;
    }

    /**
     * Code of a task that runs on a thread, within which the thread may run nodes. For engines. Threads: all by the
     * thread that runs the code.
     */
    public interface Pausable {
        /**
         * Nodes run on the thread, inside of a call of its code, until {@link #goOn}. An interrupt that is meant for
         * this waits until then, and what they touch is not this one's.
         *
         * @return false when it was paused before
         */
        default boolean pause() {
            return true;
        }

        /** Nothing else runs inside any more. */
        default void goOn() {}
    }
}
