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
 * A running task as its own body sees it. Valid until the body returns, and for the thread that runs it only. What
 * accesses, splits or continues the task throws {@link IllegalStateException} once the task is over.
 */
public interface TaskContext {
    /**
     * The value of a handle that the task declared an access to, or to what it is a part of.
     *
     * @throws IllegalArgumentException when it declared none
     */
    <T> T get(Handle<T> handle);

    /**
     * All of some data, which the task declared an access to, in host memory.
     *
     * @throws IllegalArgumentException when it declared none, or one to a part only
     */
    default Memory memory(Data data) {
        Objects.requireNonNull(data, "data");
        return memory(new View(data, data.box()));
    }

    /**
     * The value of the handle of that name which the task declared an access to.
     *
     * @throws IllegalArgumentException when it declared none of that name, or several, or the value is of another type
     */
    <T> T get(String handle, Class<T> type);

    /**
     * What the task declared of the data of that name, in host memory: all of it, or the part.
     *
     * @throws IllegalArgumentException when it declared none of that name, or several parts or data
     */
    Memory memory(String data);

    /** A part of some data, in host memory; throws like the other. */
    Memory memory(View part);

    /**
     * Splits the running task into sub-tasks, which {@code submission} submits. They order themselves by their
     * accesses, which the accesses of this task must cover; nobody outside meets them. The task is over when its body
     * and all of them are. The body must not touch any more what it has handed on; {@link #afterwards} may.
     *
     * @throws IllegalArgumentException from the submission of a sub-task that needs more than this task declared
     */
    void refine(Consumer<? super Tasks> submission);

    /**
     * What is left to do when all sub-tasks have ended well: runs after them, as a part of this task; right after the
     * body when it has not refined.
     */
    void afterwards(TaskBody rest);

    /**
     * Gives up rights: an access to {@code resource} becomes {@code to}, which it must cover (one that writes, if
     * several do). Later tasks that no longer conflict start at once. Who gives up to overwrite something has written
     * it by then: what was poisoned there is so no longer. (A task that gives that up before it starts has not, and
     * leaves the poison.)
     *
     * @throws IllegalArgumentException when no access to the resource covers {@code to}: there is no promotion
     * @throws IllegalStateException when a sub-task that is not over needs what is given up
     */
    void demote(Resource resource, Access to);

    /**
     * Runs {@code body} for all of {@code from} to {@code to - 1}, in parts of {@code grain} numbers: the operator
     * level. Workers that have nothing else to do help; the machine is never asked for more than its workers. See
     * {@link WorkerContext#parallelFor}.
     *
     * @param grain numbers per part, at least 1: worth a few microseconds
     */
    void parallelFor(long from, long to, long grain, RangeBody body) throws Exception;

    /** The task's name. */
    String name();

    /** The worker that runs it, 0 to workers - 1. */
    int worker();

    /** Whether the graph was cancelled: a long body looks now and then, and returns. */
    boolean cancelled();
}
