package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.core.graph.RunSnapshot.TaskView;
import dev.jacquard.core.graph.RunSnapshot.Wait;
import dev.jacquard.core.graph.RunSnapshot.WorkerView;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.depend.Exclusions;
import dev.jacquard.memory.residency.Staging;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes a {@link RunSnapshot} of graphs that go on at the same time. There is no list of live tasks, so the collector
 * follows these references:
 *
 * <pre>
 *  nodes on workers, deques, inbox, queues of places   (engine)
 *  tasks with an open stage, tasks at gates            (graph)           --> their later tasks --> theirs …
 *  tasks that wait for an unordered resource           (exclusions)          their sub-tasks, their parents
 *  tasks that wait for room for their data             (coherence)
 * </pre>
 *
 * Every task that is not over is in the left column, or waits for such a task. The collector reads, without locks,
 * fields that workers write: a task's lists are chains of constant links, and all else that is read is either constant
 * or may be missing.
 *
 * <p>Threads: confined to the caller.
 */
final class SnapshotCollector implements NodeVisitor {
    /** The most tasks in a snapshot: a graph of millions must not make a snapshot of millions of lines. */
    private static final int MOST_TASKS = 10_000;

    private static final int MOST_WAITS = 8;

    private final DependencyDomain domain;
    private final @Nullable TaskGraph only;
    private final Map<TaskNode, Found> found = new LinkedHashMap<>(); // tasks have no equality but identity
    private final Deque<TaskNode> toFollow = new ArrayDeque<>();
    private final Set<Scope> scopes = new HashSet<>(); // no equality but identity either
    private final List<WorkerView> workers = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    /** Nodes of compiled graphs and of other fronts. */
    private final Map<Node, TaskView> others = new LinkedHashMap<>(); // no equality but identity

    /** The facts known of a task. */
    private static final class Found {
        String where = "";
        final List<Wait> waits = new ArrayList<>();

        void waitsFor(String what, String why) {
            Wait wait = new Wait(what, why);
            if (waits.size() < MOST_WAITS && !waits.contains(wait)) {
                waits.add(wait);
            }
        }
    }

    private SnapshotCollector(DependencyDomain domain, @Nullable TaskGraph only) {
        this.domain = domain;
        this.only = only;
    }

    /** Returns a snapshot of all graphs, or of one. */
    static RunSnapshot of(DependencyDomain domain, @Nullable TaskGraph only) {
        SnapshotCollector survey = new SnapshotCollector(domain, only);
        List<TaskGraph> graphs = domain.graphs();
        survey.look(graphs);
        return survey.snapshot(only == null ? graphs : List.of(only));
    }

    private void look(List<TaskGraph> graphs) {
        domain.dispatcher.visit(this);
        Staging staging = domain.options.staging();
        if (staging != null) {
            StagedData.eachWaiting(staging, (task, why) -> {
                if (!task.isOver()) {
                    meet(task).waitsFor("room for its data", why);
                }
            });
        }
        if (domain.watch != null) {
            domain.watch.eachTelling((task, why) -> meet(task).waitsFor("a listener", why));
        }
        for (TaskGraph graph : graphs) {
            graph.running().eachSuspended(task -> {
                Optional<UserView> view = domain.views().of(task);
                if (view.isPresent()) {
                    String opener = Threads.name(view.get().opener());
                    meet(task).waitsFor("its close", "open: thread " + opener + " opened it, and has not closed it");
                } else {
                    meet(task).waitsFor(isRun(task) ? "its run" : "its stage", stageText(task));
                }
            });
            graph.tags()
                    .eachAwaited(awaited -> meet(awaited.task())
                            .waitsFor(
                                    "a task with the tag \"" + awaited.tag() + '"',
                                    "of which none was submitted so far"));
            enter(graph.scope());
        }
        for (TaskNode task = toFollow.poll(); task != null; task = toFollow.poll()) {
            follow(task);
        }
    }

    /** Returns true if the task stands for a run of a compiled graph. */
    private static boolean isRun(TaskNode task) {
        TaskRun run = task.taskRun();
        return run != null && run.options.detached;
    }

    private static String stageText(TaskNode task) {
        if (isRun(task)) {
            return "a compiled graph's, in flight";
        }
        String where = AsyncCompletion.whereabouts(task);
        String late = lateText(task);
        return "asynchronous: " + (where == null ? "its stage is complete" : where)
                + (late.isEmpty() ? "" : ", " + late);
    }

    /** Returns the worker or the queue that has the task. */
    private static String where(TaskNode task, Found what) {
        String late = what.waits.isEmpty() ? lateText(task) : "";
        return late.isEmpty() ? what.where : what.where + ", " + late;
    }

    /** Returns a text that says that the time limit of the task has passed; empty when it has not. */
    private static String lateText(TaskNode task) {
        TaskRun run = task.taskRun();
        Attempt attempt = run == null ? null : run.tries.attempt();
        return attempt == null ? "" : attempt.lateText();
    }

    // ---- as the engine shows the tasks

    @Override
    public void worker(int index, String thread, String doing, @Nullable Node node) {
        workers.add(new WorkerView(index, thread, doing));
        if (node != null) {
            queued(node, "on worker " + index);
        }
    }

    @Override
    public void queued(Node node, String where) {
        TaskNode task = AsyncCompletion.taskOf(node);
        if (task != null && !task.isOver()) {
            meet(task).where = where;
        }
        String graph = node.graphName();
        if (graph != null && only == null && others.size() < MOST_TASKS) {
            TaskState state = where.startsWith("on worker") ? TaskState.RUNNING : TaskState.READY;
            others.putIfAbsent(node, new TaskView(graph, node.toString(), state, where, List.of(), ""));
        }
    }

    @Override
    public void hidden(long nodes, String where) {
        notes.add(nodes + (nodes == 1 ? " ready task is " : " ready tasks are ") + where);
    }

    // ---- from task to task

    private Found meet(TaskNode task) {
        Found known = found.get(task);
        if (known == null) {
            known = new Found();
            if (found.size() < MOST_TASKS) {
                found.put(task, known);
                toFollow.add(task);
            }
        }
        return known;
    }

    private void follow(TaskNode task) {
        for (Link link = task.laterTasks(); link != null; link = link.next) {
            TaskNode later = link.later;
            if (later != null && !link.fired && !later.isOver()) {
                meet(later).waitsFor(quoted(task), why(task, later, link.explicit));
            }
        }
        Refinement inside = task.refinementNow();
        if (inside != null) {
            enter(inside);
            for (Link link = inside.startersNow(); link != null; link = link.next) {
                if (link.later != null) {
                    meet(link.later).waitsFor(quoted(task), "to start: it is a part of it");
                }
            }
        }
        if (task.scope() instanceof Refinement around) {
            enter(around);
            Found parent = meet(around.parent());
            if (!parent.where.startsWith("on worker") && around.parent().state() == TaskState.RUNNING) {
                parent.waitsFor(quoted(task), "a part of it");
            }
        }
    }

    /** Adds the tasks that wait in a scope, but for no task. */
    private void enter(Scope scope) {
        if (!scopes.add(scope)) {
            return;
        }
        for (Gates.Gate gate = Gates.firstOf(scope); gate != null; gate = gate.next) {
            if (!gate.task.isOver()) {
                long left = gate.before - scope.ended();
                meet(gate.task).waitsFor("everything before it", left + " of " + gate.before + " not over");
            }
        }
        for (Exclusions.Wait<TaskNode> wait : scope.exclusions().waits()) {
            meet(wait.blocker());
            meet(wait.waiter())
                    .waitsFor(
                            quoted(wait.blocker()),
                            "which has \"" + wait.resource().name() + "\", in no order");
        }
    }

    private static String quoted(TaskNode task) {
        return '"' + task.name() + '"';
    }

    /** Returns the reason why {@code later} waits for {@code earlier}, as far as it can be seen; else an empty text. */
    static String why(TaskNode earlier, TaskNode later, boolean explicit) {
        if (explicit) {
            return later.scope().graph == earlier.scope().graph
                    ? "explicitly"
                    : "explicitly, of graph \"" + earlier.scope().graph.name() + '"';
        }
        try {
            AccessList.Conflict first = later.accessesUnlessOver().conflict(earlier.accessesUnlessOver());
            return first == null ? "" : first.access() + " " + first.resource() + " after " + first.earlier();
        } catch (RuntimeException e) { // an access of the user's, or a concurrent demotion
            return "";
        }
    }

    // ---- the picture

    private RunSnapshot snapshot(List<TaskGraph> graphs) {
        List<TaskView> views = new ArrayList<>();
        found.forEach((task, what) -> {
            TaskState state = task.state();
            if (!state.isOver() && (only == null || task.scope().graph == only)) {
                views.add(new TaskView(
                        task.scope().graph.name(),
                        task.name(),
                        state,
                        where(task, what),
                        what.waits,
                        task.accessText() + task.siteText()));
            }
        });
        long live = graphs.stream().mapToLong(graph -> graph.report().pending()).sum();
        long now =
                domain.dispatcher.trace().nanoTime() - domain.dispatcher.trace().originNanos();
        List<String> streams = only == null ? domain.openRuns().describe() : List.of();
        long missing = Math.max(0, live - views.size());
        if (only == null) {
            views.addAll(domain.openRuns().compiled().tasks(others));
        }
        views.addAll(others.values());
        return new RunSnapshot(now, workers, views, missing, notes, streams);
    }
}
