package dev.jacquard.core.compiled;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.Outcome;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.residency.Continuation;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One claim for the runs of a graph whose tasks access data on the host alone. No task makes its own claim, so a run
 * asks the coherence once, and not at all while nothing moves. This is the first node of each run.
 *
 * <pre>
 *   run begins --resume--> as in the run before
 *      |  recalled since, or the first run
 *      +--new claim--> in the same memory: as in the run before; else all tasks forget where their data was
 *   run ends --well--> the claim is cached, unless others wait; else it is released
 * </pre>
 *
 * <p>When data that the run needs cannot be there, the tasks make their own claims after all, so that the right task
 * reports the missing data. So they do when others hold the room that the run needs: each task needs less, and some
 * holders give it back only after the run, such as a thread that waits for the run while its view is open.
 *
 * <p>A run that does not end well gives the claim back as if each task had had its own claim. The tasks that began
 * follow from the tasks that did not, so a task that runs notes nothing.
 *
 * <p>Threads: the worker that begins the run, and after it the worker that ends the run; the tasks in between read
 * fields that do not change between the two. Runs come one after the other.
 */
final class RunClaim extends Node {
    private final Staging staging;
    private final RunState run;
    private final Footprint footprint;
    private final Node first;
    /** The properties of all tasks of the graph, by number. */
    private final TaskTraits[] traits;
    /** All tasks of the graph. */
    private final CompiledTask[] tasks;

    /** Readies this node. */
    private final Continuation ready = new Continuation() {
        @Override
        public void run() {
            run.dispatcher().ready(RunClaim.this);
        }

        @Override
        public boolean isUnwanted() {
            return run.isCancelled();
        }

        @Override
        public boolean isDivisible() {
            return true; // into the claims of the tasks
        }
    };

    /** The claim of the run in flight; null before it is asked for. Between runs the cached one; null for none. */
    private @Nullable DataClaim claim;
    /** True from when the run in flight makes a claim until it begins. */
    private boolean isAsked;
    /** True if the claim has all data. */
    private boolean held;
    /** The claim with the memory in which the tasks know their data; null for none. It may be over. */
    private @Nullable DataClaim known;

    RunClaim(
            Staging staging, RunState run, AccessList accesses, Node first, TaskTraits[] traits, CompiledTask[] tasks) {
        this.traits = traits;
        this.tasks = tasks;
        this.staging = staging;
        this.run = run;
        this.footprint = staging.footprint(accesses);
        this.first = first;
    }

    @Override
    public void run(WorkerContext context) {
        if (claims()) {
            context.readyAtEnd(first);
        }
    }

    /** Returns true if the run may begin; else this node is readied again. */
    private boolean claims() {
        DataClaim its = claim;
        if (its == null || !isAsked) {
            if (run.isCancelled()) {
                return true; // no task will start
            }
            if (its != null && its.resume()) {
                held = true;
                return true;
            }
            its = staging.claim(run.name(), footprint, Place.HOST, null, false);
            claim = its;
            isAsked = true;
            if (!its.begin(ready)) {
                return false;
            }
        }
        isAsked = false;
        take(its);
        return true;
    }

    private void take(DataClaim its) {
        held = its.failure() == null;
        if (!held) {
            its.release(false, List.of()); // nothing has begun
            claim = null;
            run.claimByTasks();
        }
        if (!held || known == null || !its.isWhere(known)) {
            for (CompiledTask task : tasks) {
                task.unbind();
            }
        }
        known = held ? its : null;
    }

    /** Returns the claim that the tasks of the run in flight use; null when each task makes its own. */
    @Nullable
    DataClaim held() {
        return held ? claim : null;
    }

    /**
     * Releases the claim when the run is over, or caches it.
     *
     * @param again true if the run had a pass before the last
     */
    void release(boolean well, boolean again) {
        DataClaim its = held();
        if (its == null) {
            return; // a cached claim was not taken up
        }
        held = false;
        if (well && its.rest()) {
            return;
        }
        claim = null;
        if (well) {
            its.release(true);
        } else {
            its.release(again, begun());
        }
    }

    /** Returns the tasks with data that were begun in the last pass. Edges lead to higher numbers. */
    private List<DataClaim.Share> begun() {
        List<DataClaim.Share> begun = new ArrayList<>();
        for (TaskTraits task : traits) {
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
