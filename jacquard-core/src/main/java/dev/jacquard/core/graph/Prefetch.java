package dev.jacquard.core.graph;

import dev.jacquard.base.machine.ExecutionTarget;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds a task that brings data to a place ahead of its use. Confined to the thread that began it.
 *
 * <pre>{@code
 * graph.prefetch(x).to(ExecutionTarget.CUDA);
 * }</pre>
 *
 * <p>Source: the abstract-runtime-system document, section II-C3.
 */
public final class Prefetch {
    private final Function<ExecutionTarget, Task<@Nullable Void>> task;

    /** Creates a prefetch that {@code task} submits. */
    Prefetch(Function<ExecutionTarget, Task<@Nullable Void>> task) {
        this.task = task;
    }

    /**
     * Submits a task that ends when the newest value of the data is in that place. The task comes after all earlier
     * tasks that write the data, and before later ones. The next task in that place that reads the data moves nothing,
     * unless the data had to make room before that.
     *
     * @param where a device, a kind of device, of which one is chosen, or {@link ExecutionTarget#HOST}
     * @throws IllegalStateException when the session has no such target
     * @throws IllegalArgumentException when the data does not fit there
     */
    public Task<@Nullable Void> to(ExecutionTarget where) {
        Objects.requireNonNull(where, "where");
        return task.apply(where);
    }
}
