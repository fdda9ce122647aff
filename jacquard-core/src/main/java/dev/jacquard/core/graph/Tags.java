package dev.jacquard.core.graph;

import dev.jacquard.memory.access.AccessList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tags that tasks of one scope have had. Guarded by the lock of the scope. */
final class Tags {
    private final Scope scope;
    /** The tags that tasks have had. Made for the first tag: most scopes have none. */
    private @Nullable TagSet had;
    /** The tasks that wait for the first member of a tag; some may not wait any more. Made for the first of them. */
    private Map<String, List<Awaited>> waiting = Map.of();
    /** The poison of members that did not end well. Made for the first of them. */
    private Map<String, Poison> poisoned = Map.of();

    Tags(Scope scope) {
        this.scope = scope;
    }

    /**
     * A task that waits for the first member of a tag. The task counts an edge for the wait, which the member takes
     * over.
     *
     * @param scope the scope where the member must be submitted
     * @param tag the tag of the member
     * @param task the task that waits
     */
    record Awaited(Scope scope, String tag, TaskNode task) {
        /**
         * Throws if {@code member}, which is about to be submitted and has the tag, would come after the task that
         * waits for it. Under the lock of the scope.
         *
         * @param barrier the last barrier of the scope; null for none
         */
        void requireNotBefore(TaskNode member, @Nullable TaskNode barrier) {
            TaskNode before = Successors.find(task, each -> comesAfter(member, each, barrier));
            if (before != null) {
                String waiting = '"' + task.name() + '"';
                boolean directly = before == task;
                throw new IllegalStateException("task \"" + member.name() + "\" of " + scope.graph.text()
                        + " would never start: it has the tag \"" + tag
                        + "\", for whose first member task " + waiting + " waits, and it comes after "
                        + (directly ? "that one" : '"' + before.name() + '"')
                        + reason(member, before, barrier)
                        + (directly ? "" : ", which waits for " + waiting)
                        + "; let a task have the tag first that does not come after " + waiting);
            }
        }

        private boolean comesAfter(TaskNode member, TaskNode before, @Nullable TaskNode barrier) {
            return !explicitly(member, before, barrier).isEmpty()
                    || (before.scope().lock == scope.lock
                            && member.declared().conflictsWith(before.accessesUnlessOver()));
        }

        private String reason(TaskNode member, TaskNode before, @Nullable TaskNode barrier) {
            String explicitly = explicitly(member, before, barrier);
            String why = explicitly.isEmpty() ? SnapshotCollector.why(before, member, false) : explicitly;
            return why.isEmpty() ? "" : " (" + why + ')';
        }

        /**
         * Returns the reason why the member is to wait for {@code before}, whatever the two access; empty when it is
         * not to wait.
         */
        private String explicitly(TaskNode member, TaskNode before, @Nullable TaskNode barrier) {
            TaskRun run = member.taskRun();
            if (before == barrier) {
                return "a barrier";
            }
            if (run == null) {
                return "";
            }
            return run.after.contains(before)
                    ? "explicitly"
                    : run.options.synchronizing && before.scope() == scope ? "as a barrier" : "";
        }
    }

    /**
     * Throws if {@code task} is to come after a tag that only tasks outside of the task around it have had, and the
     * task around it does not come after that tag: then it would wait for none of them.
     */
    private void requireReachable(TaskNode task) {
        TaskNode around = scope.parent();
        if (around != null) {
            task.declared().each((resource, access) -> {
                if (resource instanceof TagAccess.TagResource its
                        && access == TagAccess.AFTER
                        && !had(its.tag())
                        && !awaits(task, its.tag())) {
                    requireReachable(task, its, around);
                }
            });
        }
    }

    private static void requireReachable(TaskNode task, TagAccess.TagResource tag, TaskNode around) {
        for (TaskNode each = around; each != null; each = each.scope().parent()) {
            if (each.allowed().has(tag, TagAccess.AFTER)) {
                return;
            }
            if (each.scope().tags.hasHad(tag.tag())) {
                throw new IllegalArgumentException("task \"" + task.name() + "\" cannot come after the tag \""
                        + tag.tag()
                        + "\", which tasks outside of \"" + around.name() + "\" have: a task inside of another one"
                        + " waits for members inside of that alone; let \"" + around.name() + "\" come after the tag");
            }
        }
    }

    /** Returns true if a task has had the tag. Under the lock. */
    private boolean had(String tag) {
        return had != null && had.contains(tag);
    }

    /** Returns true if a task has had the tag. Takes the lock. */
    private boolean hasHad(String tag) {
        scope.lock.lock();
        try {
            return had(tag);
        } finally {
            scope.lock.unlock();
        }
    }

    /**
     * Throws if {@code task} would wait for no member of a tag, though there are some, or for itself.
     *
     * @param barrier the last barrier of the scope; null for none
     */
    void require(TaskNode task, @Nullable TaskNode barrier) {
        requireReachable(task);
        requireNoCycle(task, barrier);
    }

    /**
     * Throws if {@code task} would be the first member of a tag and, by one of its edges, come after a task that waits
     * for that member. All other edges come from earlier tasks.
     *
     * @param barrier the last barrier of the scope; null for none
     */
    private void requireNoCycle(TaskNode task, @Nullable TaskNode barrier) {
        task.declared().each((resource, access) -> {
            if (resource instanceof TagAccess.TagResource its && access == TagAccess.MEMBER) {
                for (Awaited awaited : waiting.getOrDefault(its.tag(), List.of())) {
                    if (scope.graph.tags().isAwaited(awaited)) {
                        awaited.requireNotBefore(task, barrier);
                    }
                }
            }
        });
    }

    /** Notes missing members of tags that {@code task} comes after, and notifies tasks that wait for its own tags. */
    void meet(TaskNode task) {
        GraphTags all = scope.graph.tags();
        AccessList declared = task.declared();
        declared.each((resource, access) -> {
            if (resource instanceof TagAccess.TagResource its && access == TagAccess.AFTER) {
                comesAfter(task, its.tag(), all);
            }
        });
        declared.each((resource, access) -> {
            if (resource instanceof TagAccess.TagResource its && access == TagAccess.MEMBER) {
                had = had == null ? new TagSet() : had;
                had.add(its.tag());
                hasFirst(task, its.tag(), all);
            }
        });
    }

    private void comesAfter(TaskNode task, String tag, GraphTags all) {
        if (had(tag)) {
            Poison left = poisoned.get(tag);
            if (left != null) {
                task.cancelBecause(left.seenBy(scope.graph.failures()));
            }
        } else if (!awaits(task, tag)) {
            all.hasNoMembers(tag);
        } else {
            Awaited awaited = new Awaited(scope, tag, task);
            if (all.await(awaited)) {
                waiting = waiting.isEmpty() ? new HashMap<>() : waiting;
                waiting.computeIfAbsent(tag, any -> new ArrayList<>(1)).add(awaited);
                scope.edges.count(task);
            }
        }
    }

    /**
     * Puts {@code member}, which has the tag, before the tasks that wait for its first member, but not before itself.
     */
    private void hasFirst(TaskNode member, String tag, GraphTags all) {
        List<Awaited> its = waiting.isEmpty() ? null : waiting.remove(tag);
        if (its != null) {
            for (Awaited each : its) {
                if (each.task() == member) {
                    waiting.put(tag, List.of(each));
                } else {
                    all.has(each, member);
                }
            }
        }
    }

    /** Notes that a member of the tag did not end well: tasks after the tag must learn of it. */
    void poisoned(String tag, Poison left) {
        poisoned = poisoned.isEmpty() ? new HashMap<>() : poisoned;
        poisoned.put(tag, left);
    }

    /**
     * The body of the task around {@code inside} has ended, with {@code how}, or well (null). If no block can begin in
     * there any more, no first member of a tag can come.
     */
    static void bodyOver(Refinement inside, @Nullable Outcome how) {
        if (inside.domain.awaitsTags && !inside.parent().isAdjustable() && !inside.hasOpenBlock()) {
            for (Awaited each : inside.tags.takeAwaited()) {
                inside.graph.tags().noneComes(each, how);
            }
        }
    }

    /** Takes the tasks that wait for the first member of a tag; some may not wait any more. Takes the lock. */
    private List<Awaited> takeAwaited() {
        List<Awaited> all = new ArrayList<>();
        scope.lock.lock();
        try {
            waiting.values().forEach(all::addAll);
            waiting = Map.of();
        } finally {
            scope.lock.unlock();
        }
        return all;
    }

    /** Returns true if the task is to wait for the first member of the tag. */
    private static boolean awaits(TaskNode task, String tag) {
        TaskRun run = task.taskRun();
        return run != null && run.options.awaitedTags.contains(tag);
    }
}
