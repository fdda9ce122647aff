package dev.jacquard.core.graph;

import java.util.Objects;

/**
 * A body that first looks up the memory of its task's data. A live graph lets it do so each time. A compiled graph that
 * has all its data on the host lets it do so once, and again when something has moved: a replica was evicted, or freed,
 * or made elsewhere. So a repeated run costs no look-up and no allocation.
 *
 * <pre>{@code
 * BindingBody scale = context -> {
 *     MemorySegment x = context.memory(dx).segment();
 *     return run -> scale(x);
 * };
 * graph.task("scale").updates(dx).run(scale);
 * }</pre>
 */
public interface BindingBody extends TaskBody {
    /**
     * Looks up memory, and returns the work on it. The work may run several times, each time with the context of its
     * run, as long as all memory that {@code context} gave is where it was. An exception fails the task.
     *
     * @param context the task as it is about to run for the first time; valid until this method returns
     */
    TaskBody bind(TaskContext context) throws Exception;

    @Override
    default void run(TaskContext context) throws Exception {
        TaskBody bound = Objects.requireNonNull(bind(context), "bind returned null, and not the work");
        bound.run(context);
    }
}
