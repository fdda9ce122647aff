package dev.jacquard.engine.work;

/**
 * A task as scheduling policies see it: properties that may decide when and where it runs.
 *
 * <p>Threads: the answers may be asked for by any thread once the task is ready; they stay the same until it has run.
 *
 * <p>Source: the expressions thesis, sections 3.1.7 and 3.1.8 (depth, consumers, times); the resource-register
 * document, section 4 (flags).
 */
public interface ReadyTask {
    /** Returns the name that users gave it; need not be unique. */
    default String name() {
        return "node";
    }

    /** Returns the kernel that the task runs; empty when it runs none. */
    default String kernel() {
        return "";
    }

    /** Its place in the order of submission, from 0; -1 when it has none. */
    default long id() {
        return -1;
    }

    /** Returns its urgency as the user gave it: higher first; 0 unless given. */
    default int priority() {
        return 0;
    }

    /** Returns the number of tasks on the longest path of earlier ones to this one, as far as known. */
    default int depth() {
        return 0;
    }

    /** Returns the number of later tasks that wait for it, as far as known. */
    default int consumers() {
        return 0;
    }

    /** Returns its probable time in nanoseconds: a moving average over tasks of its name; 0 when not known. */
    default long expectedNanos() {
        return 0;
    }

    /** Returns true if the user gave it {@code flag}. */
    default boolean has(String flag) {
        return false;
    }

    /** Returns the worker that the user wants it on; -1 for any. */
    default int affinity() {
        return -1;
    }

    /**
     * Returns the thing that it works on: tasks with equal answers gain when they run on the same worker. The first
     * resource that it writes where there is one; its name by default.
     */
    default Object locality() {
        return name();
    }

    /** Returns true if only the main thread may run it. */
    default boolean isMain() {
        return false;
    }

    /** Adds edges to a task that is being submitted. Valid during that call and for that thread only. */
    @FunctionalInterface
    interface Edges {
        /**
         * The task waits for {@code earlier} too. Nothing happens when that one is over, or waits for this task, as for
         * the first member of a tag; nor when just one of both is a sub-task, or they are of different refined tasks.
         *
         * @param earlier a task that was submitted before
         * @throws IllegalArgumentException when it was not submitted before, or is no task of this session
         * @throws IllegalStateException after that call, or on another thread
         */
        void after(ReadyTask earlier);
    }
}
