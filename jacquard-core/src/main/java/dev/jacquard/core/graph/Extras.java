package dev.jacquard.core.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What only few tasks have, in an object of its own, so that the others stay small.
 *
 * <p>The first group is constant once the task is submitted. The second is guarded by the monitor of this object. The third is
 * confined to whoever runs the task.
 */
final class Extras {
    // ---- given at submission

    /** Explicit edges: these tasks, all submitted before. Emptied at submission: it must not keep them alive. */
    List<Task> after = List.of();
    /** Everything before is over before this starts, and this is over before anything behind starts. */
    boolean synchronizing;
    /** Who may run it: {@link Node#place}. */
    byte place = Node.ANYWHERE;
    /** What policies read. */
    int priority;
    /** The number of the task in the order of submission, where tasks are numbered. Written by the submission. */
    long id = -1;
    /** Which worker the user wants it on; -1 for any. */
    int affinity = -1;
    /** What policies read. */
    Set<Flag> flags = Set.of();
    /** Where it was submitted; known in checking mode. */
    @Nullable
    String site;
    /** Takes what it needs of unordered resources when it is about to run. */
    boolean unordered;
    /** Brings data to where it runs when it is about to. */
    boolean staged;
    /** How to do once more what it does; null when nobody needs to know, or knows. */
    @Nullable
    Recipe recipe;
    /** Whether others may refine or demote it before it runs. */
    boolean adjustable;
    /** Whether the body only begins what the task is to do. */
    boolean asynchronous;
    /** What it is one of; null for none. */
    @Nullable
    TaskGroup group;
    /** How long the task may run; 0 when there is no limit. */
    long timeLimitNanos;
    /** Whether the body is interrupted when its graph is cancelled. */
    boolean interruptible;

    // ---- guarded by the monitor

    /** The asynchronous part in flight; null when there is none. What a try that was given up left is another one. */
    private @Nullable CompletionStage<?> inFlight;
    /** What is to be given up when the task becomes ready. */
    private List<Demotion> demotions = List.of();
    /** The accesses that are left then; null before the first demotion, and from then on. Changed under the lock of the refinement too. */
    @Nullable
    Object @Nullable [] left;

    // ---- confined

    /** The inside, when the task is refined. Written under the monitor before it is ready, by its body after. */
    @Nullable
    Refinement refinement;
    /** When the body may be tried again. */
    @Nullable
    Retry retry;
    /** Where a kernel on a device goes when that fails. */
    @Nullable
    Route route;
    /** The try that runs, when it can be interrupted. */
    @Nullable
    Attempt attempt;
    /** What goes on without a thread after the body returned. Read by who cancels it too, who may see that of the try before. */
    @Nullable
    CompletionStage<?> stage;
    /** What the task's result is told of the stage's. */
    @Nullable
    Consumer<Object> keeper;
    /** How {@link #stage} ended. Written by who wins {@link #stageEnds}, before it makes the task go on. */
    @Nullable
    Throwable stageError;
    /** Likewise: its result. */
    @Nullable
    Object stageValue;
    /** Told when the task is over: it need not keep what it needed to run. */
    @Nullable
    ValueResult<?> result;
    /** Whether it holds what it needs of unordered resources. Written by its worker, or before it is readied again. */
    boolean holds;
    /** What it accesses of data, from when it is about to run until it is over. */
    @Nullable
    Claim claim;
    /** What it is at, as far as its group was told. */
    private TaskGroup.Phase phase = TaskGroup.Phase.ELSEWHERE;
    /** What others know of that before it runs. Written before the submission. */
    @Nullable
    Intent intent;
    /** How the body ended, while sub-tasks go on. */
    TaskState last = TaskState.DONE;
    /** What runs after the sub-tasks, before the task is over. */
    @Nullable
    TaskBody afterwards;

    /** Gives back what the task has of data, for another try. By whoever runs the task. */
    void takeBack() {
        Claim mine = claim;
        if (mine != null) {
            claim = null;
            mine.takeBack();
        }
    }

    /** The task goes on to something else, of which its group is told. By whoever runs the task, or ends it. */
    void goesTo(TaskGroup.Phase to) {
        TaskGroup its = group;
        if (its != null && phase != to) {
            its.goes(phase, to);
            phase = to;
        }
    }

    /** Gives back what the task has of data. By whoever runs the task, or ends it. */
    void letGo(boolean well) {
        Claim mine = claim;
        if (mine != null) {
            claim = null;
            mine.release(well);
        }
    }

    /** All sub-tasks are over, and the task runs once more, without them: what it runs then. */
    @Nullable
    TaskBody again() {
        TaskBody rest = afterwards;
        refinement = null;
        afterwards = null;
        return rest;
    }

    synchronized void stageBegins(CompletionStage<?> its) {
        inFlight = its;
    }

    /** Whether this caller is the one to go on with the task: {@code its} completed, or was given up, and nobody said so before. */
    synchronized boolean stageEnds(CompletionStage<?> its, @Nullable Object value, @Nullable Throwable error) {
        boolean first = inFlight == its;
        if (first) {
            inFlight = null;
            stageValue = value;
            stageError = error;
        }
        return first;
    }

    /** The task is over: what it needed to run must not live as long as its result, or as a tracker that still knows it. */
    void forget() {
        group = null;
        recipe = null;
        intent = null;
        afterwards = null;
        if (result != null) {
            result.forget();
            result = null;
        }
        claim = null;
        refinement = null;
        retry = null;
        route = null;
        keeper = null;
        stageValue = null;
        stageError = null;
        stage = null;
    }

    /** Of a task that is held pending. */
    synchronized void demoteLater(Demotion demotion, Task task) {
        Demotions.requireFromOutside(task, demotion);
        @Nullable Object[] smaller = Demotions.without(task, Demotions.allowed(task), demotion);
        if (refinement == null) {
            left = smaller;
        } else {
            refinement.requireStillCovered(smaller, Demotions.refusal(task, demotion), () -> left = smaller);
        }
        if (demotions.isEmpty()) {
            demotions = new ArrayList<>();
        }
        demotions.add(demotion);
    }

    /** The inside of a running task, for one more block that submits. By its body. */
    Refinement refineNow(Task task) {
        Refinement inside = refinement;
        if (inside == null) {
            letGo(true); // what the body wrote so far; sub-tasks bring what they need themselves
            inside = new Refinement(task);
            inside.startedAlready();
            refinement = inside;
        }
        inside.enterBlock();
        return inside;
    }

    /** The inside of a task that is held pending. */
    synchronized Refinement refineEarly(Task task) {
        Refinement inside = refinement;
        if (inside == null) {
            inside = new Refinement(task);
            refinement = inside;
        }
        inside.enterBlock();
        return inside;
    }

    /** The task becomes ready: what is to be given up. */
    synchronized List<Demotion> becomeReady() {
        left = null;
        return demotions;
    }
}
