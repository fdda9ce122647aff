package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Access;
import java.util.ArrayList;
import java.util.List;

/** What a tracker of one resource is to do, in its simplest form: asks every access, forgets no task that is over. */
final class PlainTracker {
    private final List<Entry> entries = new ArrayList<>();

    record Entry(ModelTask task, Access access) {}

    void submit(ModelTask later, Access access, AccessTracker.Dependents<ModelTask> dependents) {
        for (Entry earlier : List.copyOf(entries)) {
            if (earlier.task != later && access.conflictsWith(earlier.access)) {
                dependents.link(earlier.task, later, access.reads() && earlier.access.writes());
                if (access.covers(earlier.access)) {
                    entries.remove(earlier);
                }
            }
        }
        entries.add(new Entry(later, access));
    }

    void demote(ModelTask task, Access from, Access to) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).task == task && entries.get(i).access == from) {
                entries.set(i, new Entry(task, to));
                return;
            }
        }
    }

    /** Those that later accesses must still meet. */
    List<Entry> live() {
        return entries.stream()
                .filter(entry -> entry.access.reads() || entry.access.writes())
                .filter(entry -> !entry.task.isForgotten(entry.access.writes()))
                .toList();
    }
}
