package dev.jacquard.core.graph;

import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The view of a running task that its own body has. Valid until the body returns, and only for the thread that runs the
 * body. Methods that access data of the task, split or continue it throw {@link IllegalStateException} once the task is
 * over.
 */
public interface TaskContext {
    /**
     * Returns the value of a handle. The task must have declared an access to the handle, or to the handle of which it
     * is a part.
     *
     * @throws IllegalArgumentException when the task declared none
     */
    <T> T get(Handle<T> handle);

    /**
     * Returns all of some data, to which the task declared an access, in host memory.
     *
     * @throws IllegalArgumentException when the task declared none, or one to a part only
     */
    default Memory memory(Data data) {
        Objects.requireNonNull(data, "data");
        return memory(new View(data, data.box()));
    }

    /**
     * Returns the value of the handle of that name to which the task declared an access.
     *
     * @throws IllegalArgumentException when the task declared none of that name, or several, or the value is of another
     *     type
     */
    <T> T get(String handle, Class<T> type);

    /**
     * Returns the data of that name, in host memory: all of it, or the part that the task declared.
     *
     * @throws IllegalArgumentException when the task declared none of that name, or several parts or data
     */
    Memory memory(String data);

    /** Returns a part of some data, in host memory. Throws like {@link #memory(Data)}. */
    Memory memory(View part);

    /**
     * Splits the running task into sub-tasks, which {@code submission} submits. The sub-tasks are ordered by their
     * accesses, which the accesses of this task must cover; tasks outside never meet them. The task is over when its
     * body and all sub-tasks are. The body must not touch any more what the sub-tasks access; {@link #afterwards} may.
     *
     * @throws IllegalArgumentException from the submission of a sub-task that needs more than this task declared
     */
    void refine(Consumer<? super Tasks> submission);

    /**
     * Sets the work that is left to do when all sub-tasks have ended well. The work runs after the sub-tasks, as a part
     * of this task; right after the body if the task was not refined.
     */
    void afterwards(TaskBody rest);

    /**
     * Gives up rights: an access to {@code resource} becomes {@code to}, which that access must cover (if several do,
     * an access that writes is taken). Later tasks that no longer conflict start at once. A task that gives up an
     * overwriting access has written the resource by then, so the resource is no longer poisoned. (A task that gives up
     * such an access before it starts has not written, and leaves the poison.)
     *
     * @throws IllegalArgumentException when no access to the resource covers {@code to}: there is no promotion
     * @throws IllegalStateException when a sub-task that is not over needs the access
     */
    void demote(Resource resource, Access to);

    /**
     * Runs {@code body} for all of {@code from} to {@code to - 1}, in parts of {@code grain} numbers. Workers that have
     * nothing else to do help, so there are never more threads at work than workers. See
     * {@link WorkerContext#parallelFor}.
     *
     * @param grain numbers per part, at least 1: worth a few microseconds
     */
    void parallelFor(long from, long to, long grain, RangeBody body) throws Exception;

    /** Returns the name of the task. */
    String name();

    /** Returns the worker that runs the task, from 0 to the number of workers minus 1. */
    int worker();

    /** Returns true if the graph was cancelled. A long body asks now and then, and returns early. */
    boolean cancelled();
}
