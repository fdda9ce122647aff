package dev.jacquard.core.graph;

import dev.jacquard.memory.depend.Exclusions;

/**
 * A task that takes its unordered resources, and learns why it should not run.
 *
 * @param tellings the number of reports of failures before its submission
 */
record UnorderedHolder(TaskNode task, long tellings) implements Exclusions.Told<Poison> {
    @Override
    public void spoiled(Poison why) {
        task.cancelBecause(why.seenBy(task.scope().graph.failures(), tellings));
    }

    @Override
    public void broken(Throwable error) {
        Accesses.broken(task, error);
    }
}
