package dev.jacquard.core.compiled;

/**
 * The tasks of a graph and their properties, by number. Written by the builder, before anything runs.
 *
 * <p>Tasks find their properties here, and do not refer to them: a collector that follows the references of tasks then
 * puts nothing between them that a run does not touch.
 */
final class TaskTable {
    private TaskTraits[] traits = {};
    private CompiledTask[] tasks = {};

    /**
     * Sets the properties of all tasks, before the first task is made.
     *
     * @param made where the tasks will be found
     */
    void fill(TaskTraits[] properties, CompiledTask[] made) {
        traits = properties;
        tasks = made;
    }

    /** Returns the properties of a task. */
    TaskTraits traits(int task) {
        return traits[task];
    }

    /** Returns a task, or {@code otherwise} where that is no number of one. */
    CompiledTask task(int number, CompiledTask otherwise) {
        return number >= 0 && number < tasks.length ? tasks[number] : otherwise;
    }
}
