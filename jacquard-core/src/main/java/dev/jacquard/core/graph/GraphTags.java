package dev.jacquard.core.graph;

import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.data.Resource;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tags of a graph's tasks, and the tasks that wait for the first member of a tag. Each tag has a resource: members
 * write it side by side, and tasks after the tag read it.
 *
 * <p>Threads: any; guarded by the monitor of this object, but for the tasks that wait.
 */
final class GraphTags {
    private static final int MOST_UNMET = 16;
    private static final int SWEEP = 64;

    private final TaskGraph graph;
    private final DependencyDomain domain;
    /** The resources of tags. Weak, since loops make new tags: members that are not over hold the resource. */
    private final Map<String, Reference<Resource>> tags = new HashMap<>();
    /** The resources that stay though no member is live, since the graph's past is kept. */
    private final Set<Resource> kept = new HashSet<>();
    /** The number of tags at which garbage-collected ones are removed. */
    private int sweepAt = SWEEP;
    /** The first tags that tasks were to come after and that had no members. */
    private final Set<String> unmet = new LinkedHashSet<>();
    /** Tasks that wait for the first member of a tag. The thread that takes one out goes on with it. */
    private final Set<Tags.Awaited> awaited = ConcurrentHashMap.newKeySet();

    GraphTags(TaskGraph graph, DependencyDomain domain) {
        this.graph = graph;
        this.domain = domain;
    }

    /** Returns the resource that tasks with {@code tag} write and tasks after the tag read. */
    synchronized Resource of(String tag) {
        Reference<Resource> reference = tags.get(tag);
        Resource known = reference == null ? null : reference.get();
        if (known != null) {
            return known;
        }
        if (tags.size() >= sweepAt) {
            tags.values().removeIf(old -> old.refersTo(null));
            sweepAt = Math.max(SWEEP, 2 * tags.size());
        }
        Resource made = new TagAccess.TagResource(tag, domain.owner);
        tags.put(tag, new WeakReference<>(made));
        if (graph.log() != null) {
            kept.add(made);
        }
        return made;
    }

    /** Notes that a task was to come after a tag that no task has had. */
    synchronized void hasNoMembers(String tag) {
        if (unmet.size() < MOST_UNMET) {
            unmet.add(tag);
        }
    }

    /** Returns the first tags that tasks were to come after and that had no members. */
    synchronized List<String> unmet() {
        return List.copyOf(unmet);
    }

    /**
     * Lets a task wait for the first member of a tag. Under the lock of its scope.
     *
     * @return false if the graph is cancelled, so that no member need come
     */
    boolean await(Tags.Awaited task) {
        awaited.add(task);
        domain.awaitsTags = true;
        return !graph.isCancelled() || !awaited.remove(task); // a cancel looks here after it has set its flag
    }

    /** Returns true if the task still waits. Any thread. */
    boolean isAwaited(Tags.Awaited task) {
        return awaited.contains(task);
    }

    /**
     * Puts the first member of a tag, which was submitted, before a task that waits for it, unless that waits no more.
     * Under the lock of their scope.
     */
    void has(Tags.Awaited its, TaskNode member) {
        if (!awaited.remove(its)) {
            return;
        }
        if (!member.addLink(its.task(), true, true)) {
            throw new IllegalStateException("task \"" + member.name() + "\" is over before it was submitted");
        }
        GraphLog log = graph.log();
        if (log != null) {
            log.edge(member, its.task(), GraphSnapshot.Kind.TAG, "tag " + its.tag());
        }
    }

    /** Lets all waiting tasks go on: the graph is cancelled, and no member need come any more. */
    void cancel() {
        for (Tags.Awaited each : List.copyOf(awaited)) { // no lambda: the stack may be nearly full
            if (awaited.remove(each)) {
                each.task().edgeGone(null);
            }
        }
    }

    /**
     * Lets a task go on that waits for the first member of a tag: none can come any more.
     *
     * @param why the failure for which the task is cancelled; null to let it start
     */
    void noneComes(Tags.Awaited each, @Nullable Outcome why) {
        if (awaited.remove(each)) {
            if (why == null) {
                hasNoMembers(each.tag());
            } else {
                each.task().cancelBecause(why);
            }
            each.task().edgeGone(null);
        }
    }

    /** Visits the tasks that wait for the first member of a tag. Any thread. */
    void eachAwaited(Consumer<Tags.Awaited> visitor) {
        awaited.forEach(visitor);
    }
}
