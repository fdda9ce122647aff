package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task that computes fields. Immutable, but for its cache. */
interface FieldTask {
    /** Returns the name of the task. */
    String name();

    /** Returns the names of the numbers that it needs. */
    List<String> parameters();

    /**
     * Submits the task.
     *
     * @param where it is to run; null for where the session places it
     * @param after other tasks that come before it
     * @throws IllegalArgumentException if a parameter is missing
     */
    Task<@Nullable Void> submit(
            Session session, Tasks graph, @Nullable ExecutionTarget where, Parameters parameters, Task<?>... after);

    /**
     * Submits the tasks that compute slabs of the fields where a split says; on the host alone if it cannot be split.
     *
     * @param below the layers below the upper slab that all tasks of the split access of data
     */
    default void submitSplit(
            Session session, Tasks graph, Split split, Map<Data, Integer> below, Parameters parameters) {
        submit(session, graph, ExecutionTarget.HOST, parameters);
    }

    /** Returns the layers below a slab that the task reads of data, if it can be split. */
    default Map<Data, Integer> readsBelow() {
        return Map.of();
    }

    /**
     * Returns the notes that are left for the runs of a task: none of one that is submitted live, for which that is
     * noted here, in the order of the submissions.
     */
    static Runnable atRun(Tasks graph, Runnable begun) {
        if (graph instanceof Recorder) {
            return begun;
        }
        begun.run();
        return () -> {};
    }

    /**
     * Lets a task with numbers that may change read more than data: such a task is never done again for data that a
     * lost device had, since by then the numbers may be others.
     */
    static void declareNumbers(TaskBuilder task, String name, Session session, Parameters parameters) {
        if (parameters.mayChange()) {
            task.reads(session.resource("parameters of " + name));
        }
    }

    /** Returns the fields that it reads, by the names that they have for it. */
    List<GridField> inputs();

    /** Returns the fields that it writes. */
    List<GridField> results();

    /** Returns the data that it reads, each once. */
    default List<Data> reads() {
        return inputs().stream().map(GridField::data).distinct().toList();
    }

    /** Returns the data that it writes, each once. */
    default List<Data> writes() {
        return results().stream().map(GridField::data).distinct().toList();
    }

    /** Returns the work as text, on the host or in the language of devices. */
    String source(@Nullable Language language);

    /**
     * Throws an exception if no implementation is for a target.
     *
     * @throws IllegalArgumentException if the task runs nowhere there
     */
    void requireRunsOn(ExecutionTarget where);
}
