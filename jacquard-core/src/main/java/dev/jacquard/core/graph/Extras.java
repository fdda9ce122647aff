package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.PlannedAccess;
import dev.jacquard.memory.residency.Recomputation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What only few tasks have, in an object of its own, so that the others stay small.
 *
 * <p>The first group is constant once the task is submitted. The second is guarded by the monitor of this object. The
 * third is confined to whoever runs the task.
 */
final class Extras {
    /**
     * How far an adjustable task is.
     *
     * <pre>
     *  BEFORE  ── a worker takes it ──▶  STARTING  ── it has what it needs ──▶  RUNNING  ── the body is over ──▶  PAST
     *     may be adjusted                                                   may be adjusted        ◀── another try ──
     * </pre>
     */
    private enum Progress {
        BEFORE,
        STARTING,
        RUNNING,
        PAST
    }

    // ---- given at submission

    /**
     * Explicit edges: these tasks, all submitted before. Emptied when the task is over: it must not keep them alive.
     */
    List<TaskNode> after = List.of();
    /** Tags of which it waits for a member when there is none yet. */
    List<String> awaitedTags = List.of();
    /** Everything before is over before this starts, and this is over before anything behind starts. */
    boolean synchronizing;
    /** Where it runs. */
    Place place = Place.HOST;
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
    /** True if it accesses data, which must be there when it is submitted. */
    boolean needsData;
    /** How to do once more what it does; null when nobody needs to know, or knows. */
    @Nullable
    Recomputation recipe;
    /** Whether others may refine or demote it before it runs. */
    boolean adjustable;
    /** Whether the body only begins what the task is to do. */
    boolean asynchronous;
    /** True if it ends by {@link TaskNode#end} alone, and not with its body. */
    boolean detached;
    /** What it is one of; null for none. */
    @Nullable
    TaskGroup group;
    /** How long the task may run; 0 when there is no limit. */
    long timeLimitNanos;
    /** Whether the body is interrupted when its graph is cancelled. */
    boolean interruptible;
    /**
     * True if the task is over as soon as its limit has passed, or its graph was cancelled, whatever its stage does.
     */
    boolean abandons;

    // ---- guarded by the monitor

    /** The asynchronous part in flight; null when there is none. What a try that was given up left is another one. */
    private @Nullable CompletionStage<?> inFlight;
    /** What is to be given up when the task becomes ready. */
    private List<Demotion> demotions = List.of();
    /** How far an adjustable task is, for those who want to adjust it. */
    private Progress at = Progress.BEFORE;
    /** The task as resources know it that were made inside of it; null before the first. */
    private @Nullable Maker maker;
    /**
     * The accesses that are left then; null before the first demotion, and from then on. Changed under the lock of the
     * refinement too.
     */
    @Nullable
    AccessList left;

    /**
     * How the task will end, known before its code has ended: its limit has passed. Null while that is open. Written
     * once, by the thread of the timers, before it looks for those who are to be told; they look here after they can be
     * found.
     */
    volatile @Nullable Outcome told;

    // ---- confined

    /**
     * The inside, when the task is refined. Written by the body, and by a thread that refines an adjustable task from
     * outside: under the monitor, while that may be adjusted.
     */
    @Nullable
    Refinement refinement;
    /** When the body may be tried again. */
    @Nullable
    Retry retry;
    /** Where a kernel on a device goes when that fails. */
    @Nullable
    TargetSelection route;
    /**
     * How its kernel is told to a device before the task is ready; null when it is not. Constant until the task is
     * over.
     */
    @Nullable
    LaunchAhead ahead;
    /** The try that runs, when it can be interrupted. Read by snapshots, without an order. */
    @Nullable
    Attempt attempt;
    /**
     * What goes on without a thread after the body returned. Read by who cancels it too, who may see that of the try
     * before.
     */
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
    DataClaim claim;
    /** What it is at, as far as its group was told. */
    private TaskGroup.Phase phase = TaskGroup.Phase.ELSEWHERE;
    /** What others know of that before it runs. Written before the submission. */
    @Nullable
    PlannedAccess intent;
    /** How the body ended, while sub-tasks go on. */
    TaskState last = TaskState.DONE;
    /** What runs after the sub-tasks, before the task is over. */
    @Nullable
    TaskBody afterwards;

    /** Whether nothing but the tasks before it decides when its kernel may run, and what it does. */
    boolean mayLaunchAhead() {
        return !unordered && retry == null && timeLimitNanos == 0 && !interruptible && !adjustable && !synchronizing;
    }

    /** Gives back what the task has of data, for another try. By whoever runs the task. */
    void takeBack() {
        DataClaim mine = claim;
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
        DataClaim mine = claim;
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

    /** The task as what was made inside of it knows it; null when nothing was. */
    synchronized @Nullable Maker maker() {
        return maker;
    }

    /** Likewise, which from now on there is. */
    synchronized Maker maker(TaskNode task, @Nullable Maker around) {
        Maker known = maker;
        if (known == null) {
            known = new Maker(task, around);
            maker = known;
        }
        return known;
    }

    synchronized void stageBegins(CompletionStage<?> its) {
        inFlight = its;
    }

    /**
     * Whether this caller is the one to go on with the task: {@code its} completed, or was given up, and nobody said so
     * before.
     */
    synchronized boolean stageEnds(CompletionStage<?> its, @Nullable Object value, @Nullable Throwable error) {
        boolean first = inFlight == its;
        if (first) {
            inFlight = null;
            stageValue = value;
            stageError = error;
        }
        return first;
    }

    /**
     * The task is over: what it needed to run must not live as long as its result, or as a tracker that still knows it.
     */
    void forget() {
        group = null;
        recipe = null;
        intent = null;
        afterwards = null;
        after = List.of();
        if (result != null) {
            result.forget();
            result = null;
        }
        claim = null;
        refinement = null;
        retry = null;
        route = null;
        ahead = null;
        keeper = null;
        stageValue = null;
        stageError = null;
        stage = null;
        Maker its = maker(); // what was made inside lives on
        if (its != null) {
            its.over();
        }
    }

    /** A worker has taken the task. */
    synchronized void starts() {
        at = at == Progress.BEFORE ? Progress.STARTING : at;
    }

    /** The body begins. By its worker. */
    void bodyBegins() {
        if (adjustable) {
            synchronized (this) {
                at = Progress.RUNNING;
            }
        }
    }

    /** The body, and what it began, is over: the inside, if there is one. By the task's worker. */
    @Nullable
    Refinement bodyOver() {
        if (!adjustable) {
            return refinement;
        }
        synchronized (this) {
            at = Progress.PAST;
            return refinement;
        }
    }

    /**
     * Gives up an access. Any thread.
     *
     * @param pending whether the caller holds the task pending
     * @return those who need not wait for the task any more; null when it is too late
     */
    synchronized @Nullable List<TaskNode> demoteFromOutside(TaskNode task, Demotion demotion, boolean pending) {
        boolean never = at == Progress.BEFORE && !pending && task.fate() != null;
        if (at == Progress.STARTING || at == Progress.PAST || never) {
            return null;
        }
        Demotions.requireFromOutside(task, demotion);
        if (pending) {
            demoteLater(task, demotion);
            return List.of();
        }
        List<TaskNode> freed = new ArrayList<>(settle(task)); // what was demoted before comes first
        freed.addAll(Demotions.giveUpNow(task, demotion));
        return freed;
    }

    private void demoteLater(TaskNode task, Demotion demotion) {
        AccessList smaller = Demotions.without(task, Demotions.allowed(task), demotion);
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
    synchronized Refinement refineNow(TaskNode task) {
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

    /** The inside of a task, for one more block that submits; null when it is too late. Any thread. */
    synchronized @Nullable Refinement refineFromOutside(TaskNode task) {
        boolean running = at == Progress.RUNNING;
        if (at == Progress.STARTING || at == Progress.PAST || (running && claim != null)) {
            return null;
        }
        Refinement inside = refinement;
        if (inside == null) {
            inside = new Refinement(task);
            if (running) {
                inside.startedAlready();
            }
            refinement = inside;
        }
        inside.enterBlock();
        return inside;
    }

    /**
     * The task is ready: gives up what was demoted while it was pending. Returns those who need not wait for it any
     * more.
     */
    synchronized List<TaskNode> settle(TaskNode task) {
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
