package dev.jacquard.core.graph;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells which tasks have to be over before what a thread waits for: a task or a graph, the unfinished predecessors of
 * these, and the sub-tasks of all of them.
 *
 * <p>A task knows the later tasks that wait for it, not the earlier ones. So the question is a search from the task
 * that might run, along these links, to the parent of a sub-task, to sub-tasks that wait for their parent's start, and
 * to barriers. The search is bounded: a number of tasks for the whole wait, and some more for each question. When the
 * bound is reached, tasks of the graph that is waited for count as predecessors, others do not.
 *
 * <p>Threads: confined to the thread that waits; looks at tasks while others change them, and so may miss an edge that
 * is being made: such an edge leads to a task that is submitted later than what is waited for.
 */
final class Predecessors {
    private static final int LOOKS = 1000;
    private static final int LOOKS_PER_QUESTION = 4;
    /** Parents looked at for each question; a task that is nested deeper counts as one of its graph's. */
    private static final int PARENTS = 100;

    /** Tasks that are remembered as leading nowhere. */
    private static final int MOST_OTHERS = 1000;

    private final TaskGraph graph;
    /** Null when all of {@link #graph} is waited for. */
    private final @Nullable TaskNode target;
    /** From these nothing leads to the target. Null before the first search: most waits need none. */
    private @Nullable Set<TaskNode> others;

    private int looks = LOOKS;

    /** The predecessors of all tasks of {@code graph}. */
    Predecessors(TaskGraph graph) {
        this.graph = graph;
        this.target = null;
    }

    /** The predecessors of {@code target}. */
    Predecessors(TaskNode target) {
        this.graph = target.scope().graph;
        this.target = target;
    }

    /**
     * Returns true when {@code task} is one of them, or what is waited for, or a sub-task of these; or when that would
     * take too long to find out.
     */
    boolean include(TaskNode task) {
        if (isTarget(task)) {
            return true;
        }
        looks += LOOKS_PER_QUESTION;
        int parents = 0;
        for (TaskNode each = task; each != null; each = each.scope().parent()) {
            if (++parents > PARENTS) {
                return task.scope().graph == graph;
            }
            Extras extras = each.extras();
            if (isTarget(each) || (extras != null && extras.holds)) {
                return true; // only the resource knows the tasks that wait for what this holds
            }
        }
        return leadsToTarget(task);
    }

    private boolean isTarget(TaskNode task) {
        return target == null ? task.scope().graph == graph : task == target;
    }

    private boolean leadsToTarget(TaskNode from) {
        Set<TaskNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<TaskNode> ahead = new ArrayDeque<>();
        meet(from, seen, ahead);
        while (!ahead.isEmpty()) {
            TaskNode task = ahead.pop();
            if (isTarget(task)) {
                return true;
            }
            if (--looks <= 0) {
                return target != null && from.scope().graph == graph;
            }
            for (Link link = task.laterTasks(); link != null; link = link.next) {
                meet(link.later, seen, ahead);
            }
            Extras extras = task.extras();
            Refinement inside = extras == null ? null : extras.refinement;
            for (Link link = inside == null ? null : inside.startersNow(); link != null; link = link.next) {
                meet(link.later, seen, ahead);
            }
            meet(task.scope().parent(), seen, ahead);
            for (Gate gate = task.scope().gatesNow(); gate != null; gate = gate.next) {
                meet(gate.task, seen, ahead);
            }
        }
        if (others == null || others.size() > MOST_OTHERS) {
            others = seen; // those before may be over: a long wait must not keep them alive
        } else {
            others.addAll(seen);
        }
        return false;
    }

    private void meet(@Nullable TaskNode task, Set<TaskNode> seen, Deque<TaskNode> ahead) {
        if (task != null && (others == null || !others.contains(task)) && seen.add(task)) {
            ahead.push(task);
        }
    }
}
