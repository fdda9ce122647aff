package dev.jacquard.core.graph;

import java.util.IdentityHashMap;
import java.util.List;

/** The tasks that were begun and not submitted, with the place of the call. Known in checking mode. Any thread. */
final class UnfinishedTasks {
    private final boolean known;
    /** Guarded by itself. */
    private final IdentityHashMap<TaskBuilder, String> begun = new IdentityHashMap<>();

    UnfinishedTasks(boolean known) {
        this.known = known;
    }

    /** Remembers a task that is to be submitted. */
    void begun(TaskBuilder task) {
        if (known) {
            String site = CallSite.now();
            synchronized (begun) {
                begun.put(task, site);
            }
        }
    }

    /** Forgets a task that was submitted, or refused. */
    @SuppressWarnings("CollectionIncompatibleType") // the map goes by identity
    void ended(TaskBuilder task) {
        if (known) {
            synchronized (begun) {
                begun.remove(task);
            }
        }
    }

    List<String> texts() {
        synchronized (begun) {
            return begun.entrySet().stream()
                    .map(one -> one.getKey() + ", begun at " + one.getValue())
                    .sorted()
                    .toList();
        }
    }
}
