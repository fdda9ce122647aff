package dev.jacquard.core.graph;

import dev.jacquard.memory.residency.Staging;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The tasks of a graph that a cancel must reach, since they have begun.
 *
 * <p>Threads: any. A task enters a set and then reads if the graph is cancelled; a cancel sets that flag (volatile) and
 * then looks into the sets: one of the two sees the other.
 */
final class RunningTasks {
    private final TaskGraph graph;
    /** The tries that run and can be interrupted. */
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
    /** The asynchronous tasks with an incomplete stage. */
    private final Set<TaskNode> suspended = ConcurrentHashMap.newKeySet();

    RunningTasks(TaskGraph graph) {
        this.graph = graph;
    }

    void begins(Attempt attempt) {
        attempts.add(attempt);
        if (graph.isCancelled()) {
            boolean _ = attempt.interrupt();
        }
    }

    void ends(Attempt attempt) {
        attempts.remove(attempt);
    }

    void suspend(TaskNode task) {
        suspended.add(task);
        if (graph.isCancelled()) {
            cancel(task);
        }
    }

    /**
     * Asks the stage of a task to end: no other try follows this one. A stage of a later try is not reached: a task
     * leaves the set before it is readied, and a try begins only if the graph is not cancelled.
     */
    private static void cancel(TaskNode task) {
        AsyncCompletion stage = task.ownTaskRun().suspension();
        if (stage != null) {
            stage.cancel();
        }
    }

    void resume(TaskNode task) {
        suspended.remove(task);
    }

    /** Shows {@code visitor} the asynchronous tasks with an incomplete stage. */
    void eachSuspended(Consumer<TaskNode> visitor) {
        suspended.forEach(visitor);
    }

    /**
     * Notifies tasks again of their stages, where these are complete and the tasks were not notified. Returns true if
     * there were any.
     */
    boolean tellAgain() {
        boolean any = false;
        for (TaskNode task : suspended) {
            AsyncCompletion stage = task.ownTaskRun().suspension();
            any |= stage != null && stage.tellAgain();
        }
        return any;
    }

    /**
     * Interrupts bodies and drivers' functions of a cancelled graph. Any thread, the timers' too, since no users' code
     * is called. Without lambdas: the stack may be nearly full.
     */
    void interrupt() {
        for (Attempt attempt : attempts) {
            boolean _ = attempt.interrupt();
        }
        cancel(true);
    }

    /**
     * Cancels the waits in a cancelled graph: stages not left to {@link #interrupt}, tasks that wait for a tag, and
     * waits for data. Calls users' code: stages, listeners, policies.
     */
    void cancelWaiting() {
        cancel(false);
        graph.tags().cancel();
        DependencyDomain domain = graph.scope().domain;
        Staging staging = domain.stagingOrNull();
        if (staging != null) {
            staging.endUnwantedWaits();
        }
        domain.dispatcher.signal();
    }

    private void cancel(boolean functions) {
        for (TaskNode task : suspended) {
            AsyncCompletion stage = task.ownTaskRun().suspension();
            if (stage != null && stage.isFunction() == functions) {
                stage.cancel();
            }
        }
    }
}
