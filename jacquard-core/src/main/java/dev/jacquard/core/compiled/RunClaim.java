package dev.jacquard.core.compiled;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.Outcome;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One claim for a whole run of a graph whose tasks access data on the host alone. No task makes a claim of its own, so
 * a run asks the coherence once. This is the first node of each run.
 *
 * <p>When data that the run needs cannot be there, the tasks make claims of their own after all, so that the right task
 * says what is missing.
 *
 * <p>A run that does not end well gives the claim back as if each task had had a claim of its own. The tasks that were
 * begun follow from those that were not, so a task that runs notes nothing.
 *
 * <p>Threads: the worker that begins the run, and after it the worker that ends the run; the tasks in between read
 * fields that are constant meanwhile.
 */
final class RunClaim extends Node {
    private final Staging staging;
    private final RunState run;
    private final Footprint footprint;
    private final Node first;
    /** All tasks of the graph, by number. */
    private final TaskTraits[] tasks;
    /** The claim of the run in flight; null before it is asked for, and between runs. */
    private @Nullable DataClaim claim;
    /** True if the claim has all data. */
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

    /** Returns the claim that the tasks of the run in flight use; null when each task makes its own. */
    @Nullable
    DataClaim held() {
        return held ? claim : null;
    }

    /**
     * Releases the claim when the run is over.
     *
     * @param again true if the run had a pass before the last
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

    /** Returns the tasks with data that were begun in the last pass. Edges lead to higher numbers. */
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
