package dev.jacquard.core.kernel;

import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import java.util.Objects;

/**
 * The view of a running task that the host implementation of a kernel has, wherever it runs: the task's name, data and
 * loops. Valid until the implementation returns, and only for the thread that runs it.
 */
public interface KernelContext {
    /**
     * Returns all of some data, to which the task declared an access, in the memory of the place where the code runs.
     *
     * @throws IllegalArgumentException when the task declared none, or one to a part only
     */
    default Memory memory(Data data) {
        Objects.requireNonNull(data, "data");
        return memory(new View(data, data.box()));
    }

    /**
     * Returns the data of that name: all of it, or the part that the task declared.
     *
     * @throws IllegalArgumentException when the task declared none of that name, or several parts or data
     */
    Memory memory(String data);

    /** Returns a part of some data. Throws like {@link #memory(Data)}. */
    Memory memory(View part);

    /**
     * Runs {@code body} for all of {@code from} to {@code to - 1}, in parts of {@code grain} numbers. Workers that have
     * nothing else to do help, so there are never more threads at work than workers. See
     * {@link WorkerContext#parallelFor}.
     *
     * @param grain numbers per part, at least 1: worth a few microseconds
     */
    default void parallelFor(long from, long to, long grain, RangeBody body) throws Exception {
        parallelFor(from, to, grain, WorkerContext.ALL_HELP, body);
    }

    /**
     * Runs a loop like {@link #parallelFor(long, long, long, RangeBody)}, with {@code helpers} other workers at a time
     * at most.
     */
    void parallelFor(long from, long to, long grain, int helpers, RangeBody body) throws Exception;

    /** Returns the name of the task. */
    String name();

    /** Returns true if the graph was cancelled. A long body asks now and then, and returns early. */
    boolean cancelled();
}
