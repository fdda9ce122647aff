package dev.jacquard.core.compiled;

import dev.jacquard.core.execution.KnownGraphs;
import dev.jacquard.core.graph.OpenRuns;
import dev.jacquard.core.graph.RunSnapshot.TaskView;
import dev.jacquard.core.graph.RunSnapshot.Wait;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of runs in flight, as snapshots of a session show them. A run has no list of the tasks that are not over:
 * they are the tasks that a worker, a queue, a device or an inner run has, and all tasks after these.
 *
 * <p>Reads without locks fields that workers write. A task that goes on concurrently may be missing, or be shown where
 * it was.
 *
 * <p>Threads: any.
 */
public final class ShownRuns implements OpenRuns.CompiledRuns {
    /** The most tasks that are shown of a run. */
    private static final int MOST = 10_000;

    private final KnownGraphs<CompiledGraph> graphs;

    /** Shows the runs of {@code graphs}. */
    public ShownRuns(KnownGraphs<CompiledGraph> graphs) {
        this.graphs = Objects.requireNonNull(graphs, "graphs");
    }

    /**
     * Ends the runs with which no worker goes on, since the engine has ended before its time: their completions get
     * {@code why}. The report of a graph stays that of the run before. Runs begin no more.
     *
     * @param worker the context for the completions, through which no node becomes ready any more
     * @throws IllegalStateException when a completion throws, after the others were notified
     */
    public void abandon(WorkerContext worker, RuntimeException why) {
        IllegalStateException first = null;
        for (CompiledGraph graph : graphs.all()) {
            try {
                graph.lifecycle.turns.abandon(worker, why);
            } catch (IllegalStateException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public boolean areInFlight() {
        return graphs.all().stream().anyMatch(CompiledGraph::isRunning);
    }

    @Override
    public List<TaskView> tasks(Map<Node, TaskView> seen) {
        List<TaskView> all = new ArrayList<>();
        for (CompiledGraph graph : graphs.all()) {
            if (graph.isRunning()) {
                all.addAll(new OneRun(graph).tasks(seen));
            }
        }
        return all;
    }

    /** The run in flight of one graph. */
    private static final class OneRun {
        private final CompiledGraph graph;
        private final RunState run;
        /** By number. */
        private final Map<Integer, TaskView> found = new LinkedHashMap<>();

        private final Deque<Integer> toFollow = new ArrayDeque<>();

        OneRun(CompiledGraph graph) {
            this.graph = graph;
            this.run = graph.state;
        }

        List<TaskView> tasks(Map<Node, TaskView> seen) {
            TaskLimit limit = run.limit();
            if (limit != null) {
                for (long task : limit.heldBack()) {
                    add((int) task, TaskState.READY, "held back, since as many tasks run as may", List.of());
                }
            }
            seen.entrySet().removeIf(entry -> {
                TaskView as = entry.getValue();
                boolean mine = isOwn(entry.getKey());
                if (mine) {
                    show(entry.getKey(), as);
                }
                return mine;
            });
            for (int task = 0; task < graph.size(); task++) {
                Wait wait = waits(run.tasks.traits(task));
                if (wait != null) {
                    add(task, TaskState.RUNNING, "", List.of(wait));
                }
            }
            for (Integer task = toFollow.poll(); task != null; task = toFollow.poll()) {
                Wait wait = new Wait('"' + run.tasks.traits(task).name() + '"', "");
                for (int later : graph.successors(task)) {
                    add(later, TaskState.PENDING, "", List.of(wait));
                }
            }
            return List.copyOf(found.values());
        }

        private void show(Node node, TaskView as) {
            List<CompiledTask> tasks = tasksOf(node, as.state());
            tasks.forEach(task -> add(task.number(), as.state(), as.where(), List.of()));
            Batch batch = batchOf(node);
            if (batch != null && as.state() == TaskState.RUNNING) { // a sole worker leaves the rest in no queue
                String where = "after \"" + tasks.getFirst().name() + "\" " + as.where();
                batch.untaken().forEach(task -> add(task.number(), TaskState.READY, where, List.of()));
            }
        }

        private static @Nullable Batch batchOf(Node node) {
            return node instanceof Block block ? block.batch() : node instanceof Batch its ? its : null;
        }

        private boolean isOwn(Node node) {
            List<CompiledTask> tasks = tasksOf(node, TaskState.RUNNING);
            return !tasks.isEmpty() && tasks.getFirst().run == run;
        }

        /**
         * Returns the tasks that a node stands for. A batch in a queue stands for the tasks that no worker has taken,
         * one that runs for the last task that was taken.
         */
        private static List<CompiledTask> tasksOf(Node node, TaskState state) {
            Batch batch = batchOf(node);
            if (batch != null && state == TaskState.RUNNING) {
                return List.of(batch.lastTaken());
            }
            return switch (node) {
                case CompiledTask task -> List.of(task);
                case StagedStep.AtDevice task -> List.of(task.task());
                case Turn turn -> List.of(turn.task());
                case Batch queued -> queued.untaken();
                case Block block -> block.tasks();
                default -> List.of();
            };
        }

        /** Returns the wait of a task that has begun; null if it has not, or a worker has it. */
        private static @Nullable Wait waits(TaskTraits task) {
            StagedStep staged = task.staged();
            if (task.inner() != null && task.inner().isInFlight()) {
                return new Wait(
                        "its run", "of compiled graph \"" + task.inner().graph().name() + '"');
            }
            if (staged == null || staged.phase() == StagedStep.Phase.IDLE) {
                return null;
            }
            return staged.phase() == StagedStep.Phase.OVER
                    ? new Wait("its stage", "asynchronous: its kernel runs on " + staged.place())
                    : new Wait("its data", "which is to be on " + staged.place());
        }

        private void add(int task, TaskState state, String where, List<Wait> waits) {
            if (found.size() < MOST && !found.containsKey(task)) {
                TaskTraits its = run.tasks.traits(task);
                found.put(
                        task,
                        new TaskView(
                                graph.name(),
                                its.name(),
                                state,
                                where,
                                waits,
                                its.accesses().toString()));
                toFollow.add(task);
            }
        }
    }
}
