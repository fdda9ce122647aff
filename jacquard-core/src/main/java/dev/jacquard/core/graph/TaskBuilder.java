package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Resource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Declares one task: its accesses first, its body last, which submits it. Each builder submits one task. Confined to the
 * graph's submitter.
 */
public final class TaskBuilder {
    private final TaskGraph graph;
    private final String name;
    /** Resource and access in turn; the graph's scratch array, unless another builder has it. */
    private @Nullable Object[] accesses;

    private int size;
    private boolean submitted;

    TaskBuilder(TaskGraph graph, String name) {
        this.graph = graph;
        this.name = name;
        this.accesses = graph.takeScratch();
    }

    /** The task reads all of {@code resource}. */
    public TaskBuilder reads(Resource resource) {
        return declare(resource, Access.read());
    }

    /** The task reads and writes all of {@code resource}. */
    public TaskBuilder updates(Resource resource) {
        return declare(resource, Access.write());
    }

    /** The task writes all of {@code resource} without reading it: what was there, even if poisoned, does not matter. */
    public TaskBuilder writes(Resource resource) {
        return declare(resource, Access.overwrite());
    }

    /** The task accesses {@code resource} in these ways. */
    public TaskBuilder accesses(Resource resource, Access... ways) {
        for (Access way : ways) {
            declare(resource, way);
        }
        return this;
    }

    /** Submits the task. */
    public Result<@Nullable Void> run(TaskBody body) {
        return submit(body);
    }

    /** Submits the task, which has a result. */
    public <T extends @Nullable Object> Result<T> call(TaskFunction<? extends T> function) {
        ValueResult<T> result = new ValueResult<>(function);
        graph.submit(result.ownedBy(create(result)));
        return result;
    }

    private Task submit(TaskBody body) {
        Task task = create(body);
        graph.submit(task);
        return task;
    }

    private Task create(TaskBody body) {
        if (submitted) {
            throw new IllegalStateException("task \"" + name
                    + "\" was submitted already: a builder submits one task, take a new one from the graph");
        }
        submitted = true;
        Task task = new Task(graph, name, Arrays.copyOf(accesses, size), body);
        graph.giveScratch(accesses);
        return task;
    }

    private TaskBuilder declare(Resource resource, Access access) {
        graph.requireOwn(resource, name);
        if (size == accesses.length) {
            accesses = Arrays.copyOf(accesses, 2 * size);
        }
        accesses[size] = resource;
        accesses[size + 1] = access;
        size += 2;
        return this;
    }
}
