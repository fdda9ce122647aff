package dev.jacquard.core.compiled;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.Outcome;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Footprint;
import dev.jacquard.memory.residency.Staging;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One claim for a whole run of a graph whose tasks touch data on the host alone: no task makes one of its own, so a run
 * asks the coherence once. The first node of each run.
 *
 * <p>When something that the run needs is not there, tasks make their own claims after all, so that the right one says
 * what is missing.
 *
 * <p>A run that does not end well gives the claim back as if each task had had one of its own. Which tasks were begun
 * follows from those that were not, so that a task which runs notes nothing.
 *
 * <p>Threads: by the worker that begins or ends the run, one behind the other; tasks in between read what is constant
 * meanwhile.
 */
final class RunClaim extends Node {
    private final Staging staging;
    private final RunState run;
    private final Footprint footprint;
    private final Node first;
    /** All tasks of the graph, by number. */
    private final TaskTraits[] tasks;
    /** In a run, once it was asked for. */
    private @Nullable DataClaim claim;
    /** Whether the claim has all. */
    private boolean held;

    RunClaim(Staging staging, RunState run, AccessList accesses, Node first, TaskTraits[] tasks) {
        this.tasks = tasks;
        this.staging = staging;
        this.run = run;
        this.footprint = staging.footprint(accesses);
        this.first = first;
    }

    @Override
    public void run(WorkerContext context) {
        DataClaim its = claim;
        if (its == null && run.isCancelled()) {
            context.readyAtEnd(first); // no task will start
            return;
        }
        if (its == null) {
            its = staging.claim(run.name(), footprint, Place.HOST, null, false);
            claim = its;
            if (!its.begin(() -> run.dispatcher().ready(this))) {
                return; // readied again
            }
        }
        held = its.failure() == null;
        if (!held) {
            its.release(false, List.of()); // nothing has begun
            claim = null;
        }
        context.readyAtEnd(first);
    }

    /** What tasks of the run in flight use; null when they claim what they need themselves. */
    @Nullable
    DataClaim held() {
        return held ? claim : null;
    }

    /**
     * The run is over.
     *
     * @param again whether it had a pass before the last
     */
    void release(boolean well, boolean again) {
        DataClaim its = held();
        claim = null;
        held = false;
        if (its != null && well) {
            its.release(true);
        } else if (its != null) {
            its.release(again, begun());
        }
    }

    /** The tasks with data that were begun in the last pass; edges lead to higher numbers. */
    private List<DataClaim.Share> begun() {
        List<DataClaim.Share> begun = new ArrayList<>();
        for (TaskTraits task : tasks) {
            Outcome end = run.outcomeOf(task.index());
            if (task.staged() != null && (end == null ? task.isOpen() : end.isFailure())) {
                begun.add(new DataClaim.Share(task.staged().footprint(), end == null));
            }
        }
        return begun;
    }

    @Override
    public String name() {
        return run.name();
    }
}
