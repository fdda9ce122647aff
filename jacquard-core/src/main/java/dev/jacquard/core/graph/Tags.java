package dev.jacquard.core.graph;

import dev.jacquard.memory.access.AccessList;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tags that tasks of one scope have had. Guarded by the lock of the scope. */
final class Tags {
    /** The most tags that are kept. With more, as in loops that make tags, no tag counts as missing. */
    private static final int MOST = 10_000;

    private final Scope scope;
    /** Made for the first tag: most scopes have none. */
    private Set<String> had = Set.of();

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
        /** Returns true if the task waits for tasks with tag {@code with} that are submitted to {@code where}. */
        boolean isFor(Scope where, String with) {
            return scope == where && tag.equals(with);
        }

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
                        && !knows(its.tag())
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
            if (each.scope().hadTag(tag.tag())) {
                throw new IllegalArgumentException("task \"" + task.name() + "\" is to come after the tag \""
                        + tag.tag()
                        + "\", which tasks outside of \"" + around.name() + "\" have: inside of a task only members"
                        + " that are in there too are waited for; let \"" + around.name() + "\" come after the tag");
            }
        }
    }

    /** Returns true if a task has had the tag, but false if there have been too many tags to know. */
    boolean had(String tag) {
        return had.contains(tag);
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
     * Throws if {@code task} would be the first member of a tag and, by an edge of its own, come after a task that
     * waits for that member. All other edges come from earlier tasks.
     *
     * @param barrier the last barrier of the scope; null for none
     */
    private void requireNoCycle(TaskNode task, @Nullable TaskNode barrier) {
        task.declared().each((resource, access) -> {
            if (resource instanceof TagAccess.TagResource its && access == TagAccess.MEMBER) {
                scope.graph.tags().eachAwaited(awaited -> {
                    if (awaited.isFor(scope, its.tag())) {
                        awaited.requireNotBefore(task, barrier);
                    }
                });
            }
        });
    }

    /** Notes missing members of tags that {@code task} comes after, and tells tasks that wait for its own tags. */
    void meet(TaskNode task) {
        GraphTags all = scope.graph.tags();
        AccessList declared = task.declared();
        declared.each((resource, access) -> {
            if (resource instanceof TagAccess.TagResource its && access == TagAccess.AFTER && !knows(its.tag())) {
                if (!awaits(task, its.tag())) {
                    all.hasNoMembers(its.tag());
                } else if (all.await(new Awaited(scope, its.tag(), task))) {
                    scope.edges.count(task);
                }
            }
        });
        declared.each((resource, access) -> {
            if (resource instanceof TagAccess.TagResource its && access == TagAccess.MEMBER) {
                had = had.isEmpty() ? new HashSet<>() : had;
                if (had.size() < MOST) {
                    had.add(its.tag());
                }
                all.has(scope, its.tag(), task);
            }
        });
    }

    /**
     * The body of the task around {@code inside} has ended, with {@code how}, or well (null). If no block can begin in
     * there any more, no first member of a tag can come.
     */
    static void bodyOver(Refinement inside, @Nullable Outcome how) {
        if (inside.domain.awaitsTags && !inside.parent().isAdjustable() && !inside.hasOpenBlock()) {
            inside.graph.tags().noneComes(inside, how);
        }
    }

    /** Returns true if the task is to wait for the first member of the tag. */
    private static boolean awaits(TaskNode task, String tag) {
        TaskRun run = task.taskRun();
        return run != null && run.options.awaitedTags.contains(tag);
    }

    /** Returns true if a task has had the tag, as far as that is known. */
    private boolean knows(String tag) {
        return had.size() >= MOST || had.contains(tag);
    }
}
