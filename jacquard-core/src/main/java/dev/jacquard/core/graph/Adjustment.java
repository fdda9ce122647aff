package dev.jacquard.core.graph;

import dev.jacquard.memory.access.AccessList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of an adjustable task that threads outside change: its demotions while it is pending. A monitor, held by the
 * thread that adjusts the task, and by the worker that takes the task from one {@link RunPhase} to the next; the order
 * of locks is in {@link Demotions}.
 */
final class Adjustment {
    private final TaskNode task;
    /** The demotions to make when the task becomes ready. */
    private List<Demotion> demotions = List.of();
    /**
     * The accesses that are left when the task becomes ready; null before the first demotion, and once the task is
     * ready. Changed under the lock of the refinement too.
     */
    private @Nullable AccessList left;

    Adjustment(TaskNode task) {
        this.task = task;
    }

    /** Returns the accesses that are left when the task becomes ready; null if these are the present ones. */
    @Nullable
    AccessList left() {
        return left;
    }

    /**
     * Gives up an access. Any thread.
     *
     * @param pending true if the caller holds the task pending
     * @return the tasks that need not wait for this one any more; null if it is too late
     */
    synchronized @Nullable List<TaskNode> demote(Demotion demotion, boolean pending) {
        RunPhase phase = task.ownTaskRun().phase();
        boolean never = phase == RunPhase.WAITING && !pending && task.fate() != null;
        if (!phase.adjustable || never) {
            return null;
        }
        Demotions.requireFromOutside(task, demotion);
        if (pending) {
            demoteLater(demotion);
            return List.of();
        }
        List<TaskNode> freed = new ArrayList<>(settle()); // earlier demotions come first
        freed.addAll(Demotions.giveUpNow(task, demotion));
        return freed;
    }

    private void demoteLater(Demotion demotion) {
        AccessList smaller = Demotions.without(task, task.allowed(), demotion);
        Refinement inside = task.refinementNow();
        if (inside == null) {
            left = smaller;
        } else {
            inside.requireStillCovered(smaller, Demotions.refusal(task, demotion), () -> left = smaller);
        }
        if (demotions.isEmpty()) {
            demotions = new ArrayList<>();
        }
        demotions.add(demotion);
    }

    /** Gives up an access that the body does not need any more; returns as {@link Demotions#giveUp}. By its thread. */
    synchronized List<TaskNode> demoteNow(Demotion demotion) {
        return Demotions.giveUpNow(task, demotion);
    }

    /** Returns the refinement of the task, for one more block that submits; null if it is too late. Any thread. */
    synchronized @Nullable Refinement refine() {
        TaskRun run = task.ownTaskRun();
        boolean running = run.phase() != RunPhase.WAITING;
        if (!run.phase().adjustable || (running && run.claim() != null)) {
            return null;
        }
        return run.enterRefinement(running);
    }

    /** Returns the refinement of the running task, for one more block that submits. By its body. */
    synchronized Refinement refineNow() {
        return task.ownTaskRun().enterRefinement(true);
    }

    /**
     * Makes the demotions of the time when the task was pending, now that it is ready. Returns the tasks that need not
     * wait for this one any more.
     */
    synchronized List<TaskNode> settle() {
        List<Demotion> all = task.fate() == null ? demotions : List.of();
        demotions = List.of();
        left = null;
        List<TaskNode> freed = new ArrayList<>(0);
        for (Demotion demotion : all) {
            freed.addAll(Demotions.giveUp(task, demotion));
        }
        return freed;
    }
}
