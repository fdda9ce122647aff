package dev.jacquard.core.graph;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that have to be over before the wait of a thread ends: the task or the graph waited for, the unfinished
 * predecessors of these, and the sub-tasks of all of them.
 *
 * <p>A task knows the later tasks that wait for it, not the earlier ones. So each question is a search that begins with
 * the task that might run and follows the links to later tasks, to the parent of a sub-task, to sub-tasks that wait for
 * their parent's start, and to barriers. The search is bounded: a number of tasks for the whole wait, and some more for
 * each question. When the bound is reached, tasks of the graph that is waited for count as predecessors, others do not.
 *
 * <p>Threads: confined to the thread that waits. The search looks at tasks while other threads change them, and so may
 * miss an edge that is being made; such an edge leads to a task that is submitted later than the task or the graph
 * waited for.
 */
final class Predecessors {
    private static final int LOOKS = 1000;
    private static final int LOOKS_PER_QUESTION = 4;
    /** Parents looked at for each question; a task that is nested deeper counts as one of its graph's. */
    private static final int PARENTS = 100;

    /** The most tasks that are remembered as leading nowhere. */
    private static final int MOST_OTHERS = 1000;

    private final TaskGraph graph;
    /** The task waited for; null when the thread waits for all of {@link #graph}. */
    private final @Nullable TaskNode target;
    /** Tasks from which nothing leads to the target. Null before the first search: most waits need none. */
    private @Nullable Set<TaskNode> others;

    private int looks = LOOKS;

    /** Creates the predecessors of a wait for all tasks of {@code graph}. */
    Predecessors(TaskGraph graph) {
        this.graph = graph;
        this.target = null;
    }

    /** Creates the predecessors of a wait for {@code target}. */
    Predecessors(TaskNode target) {
        this.graph = target.scope().graph;
        this.target = target;
    }

    /**
     * Returns true if {@code task} is a predecessor, or is waited for itself, or is a sub-task of such a task; also if
     * the answer would take too long to find.
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
            TaskRun run = each.taskRun();
            if (isTarget(each) || (run != null && run.holds())) {
                return true; // only the resource knows the tasks that wait for it
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
            Refinement inside = task.refinementNow();
            for (Link link = inside == null ? null : inside.startersNow(); link != null; link = link.next) {
                meet(link.later, seen, ahead);
            }
            meet(task.scope().parent(), seen, ahead);
            for (Gates.Gate gate = Gates.firstOf(task.scope()); gate != null; gate = gate.next) {
                meet(gate.task, seen, ahead);
            }
        }
        if (others == null || others.size() > MOST_OTHERS) {
            others = seen; // earlier ones may be over: a long wait must not keep them alive
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
