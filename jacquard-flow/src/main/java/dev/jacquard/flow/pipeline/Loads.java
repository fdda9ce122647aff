package dev.jacquard.flow.pipeline;

/**
 * The loads of the copies of a pipeline, for a {@link Distribution}.
 *
 * <p>Threads: for use during the call that it was passed to, by the thread of that call.
 */
public interface Loads {
    /** Returns the number of copies, at least 1. */
    int copies();

    /**
     * Returns about the number of items in the tasks of a copy: they wait, are in a body, or wait for tasks of the
     * engine. Items of all tasks of the copy count, also items that the copy itself made. Takes no lock; the number
     * changes at any time.
     *
     * @param copy from 0 to {@link #copies} - 1
     * @throws IndexOutOfBoundsException if there is no such copy
     */
    long items(int copy);

    /**
     * Returns the number of items that the distribution has sent to a copy so far in this run.
     *
     * @param copy from 0 to {@link #copies} - 1
     * @throws IndexOutOfBoundsException if there is no such copy
     */
    long given(int copy);

    /** Returns the number of items that came to the pipeline before the current item in this run. */
    long before();
}
