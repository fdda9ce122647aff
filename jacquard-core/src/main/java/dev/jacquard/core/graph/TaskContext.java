package dev.jacquard.core.graph;

import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;
import java.util.function.Consumer;

/**
 * The view of a running task of a live graph that its own body has: it can also split, continue and reduce the task.
 * Valid until the body returns, and only for the thread that runs the body. Methods that access data of the task, split
 * or continue it throw {@link IllegalStateException} once the task is over.
 */
public interface TaskContext extends BodyContext {
    /**
     * Splits the running task into sub-tasks, which {@code submission} submits. The sub-tasks are ordered by their
     * accesses, which the accesses of this task must cover; tasks outside never meet them. The task is over when its
     * body and all sub-tasks are. The body must not touch the resources of the sub-tasks any more; {@link #afterwards}
     * may.
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
     * such an access before it starts has not written, and leaves the poison.) A task of which a sub-task has failed
     * keeps its rights until it ends, which it does badly: others learn then of resources that may be half written.
     *
     * @throws IllegalArgumentException when no access to the resource covers {@code to}: there is no promotion
     * @throws IllegalStateException when a sub-task that is not over needs the access
     */
    void demote(Resource resource, Access to);
}
