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
 * The fields that only few tasks need, in an object of their own, so that other tasks stay small.
 *
 * <p>The first group is constant once the task is submitted. The second is guarded by the monitor of this object. The
 * third is confined to the thread that runs the task.
 */
final class Extras {
    /**
     * The progress of an adjustable task.
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

    /** The earlier tasks of explicit edges. Emptied when the task is over: the task must not keep them alive. */
    List<TaskNode> after = List.of();
    /** The tags for whose first member the task waits when there is none yet. */
    List<String> awaitedTags = List.of();
    /**
     * True for a barrier: every task before is over before this one starts, and this one before any task behind starts.
     */
    boolean synchronizing;
    /** The place where the task runs. */
    Place place = Place.HOST;
    /** The priority, for scheduling policies. */
    int priority;
    /** The number of the task in the order of submission, where tasks are numbered. Written by the submission. */
    long id = -1;
    /** The index of the worker that the user wants for the task; -1 for any. */
    int affinity = -1;
    /** The flags, for the graph and scheduling policies. */
    Set<Flag> flags = Set.of();
    /** The place of the submission in the user's code; known in checking mode. */
    @Nullable
    String site;
    /** True if the task takes unordered resources when it is about to run. */
    boolean unordered;
    /** True if data is brought to the task's place when the task is about to run. */
    boolean staged;
    /** The name of the kernel that the task runs; empty for none. */
    String kernel = "";
    /** True if the staging is to know of the task before the submission. */
    boolean planned;
    /** True if the task was recorded for a compiled graph, and never runs itself. */
    boolean recorded;
    /** True if the task accesses data, whose memory must be there when the task is submitted. */
    boolean needsData;
    /** The way to do the task's work again; null if it is not needed, or not known. */
    @Nullable
    Recomputation recipe;
    /** True if other threads may refine or demote the task. */
    boolean adjustable;
    /** True if the body only begins the task's work. */
    boolean asynchronous;
    /** True if only {@link TaskNode#end} ends the task, and not the return of its body. */
    boolean detached;
    /** The group of the task; null for none. */
    @Nullable
    TaskGroup group;
    /** The time limit of the task; 0 for none. */
    long timeLimitNanos;
    /** True if the body is interrupted when its graph is cancelled. */
    boolean interruptible;
    /**
     * True if the task is over as soon as its limit has passed, or its graph was cancelled, whatever its stage does.
     */
    boolean abandons;

    // ---- guarded by the monitor

    /** The stage in flight; null for none. The stage of a try that was given up is a different one. */
    private @Nullable CompletionStage<?> inFlight;
    /** The demotions to make when the task becomes ready. */
    private List<Demotion> demotions = List.of();
    /** The progress of an adjustable task, for threads that want to adjust it. */
    private Progress at = Progress.BEFORE;
    /** The reference to the task from resources that were made inside it; null before the first. */
    private @Nullable Maker maker;
    /**
     * The accesses that are left when the task becomes ready; null before the first demotion, and once the task is
     * ready. Changed under the lock of the refinement too.
     */
    @Nullable
    AccessList left;

    /**
     * The outcome of the task, known before its code has ended since its limit has passed; null while the outcome is
     * open. Written once, by the thread of the timers, before it looks for the links to be told; a thread that adds a
     * link reads the field after the link can be found.
     */
    volatile @Nullable Outcome told;

    // ---- confined

    /**
     * The refinement; null if the task is not refined. Written by the body, and by a thread that refines an adjustable
     * task from outside: under the monitor, while the task may be adjusted.
     */
    @Nullable
    Refinement refinement;
    /** The state that another try of the body needs; null if the body is not tried again. */
    @Nullable
    Retry retry;
    /** The choice of another place for a kernel whose device fails; null for none. */
    @Nullable
    TargetSelection route;
    /**
     * The launch of the kernel before the task is ready; null if it is not launched ahead. Constant until the task is
     * over.
     */
    @Nullable
    LaunchAhead ahead;
    /** The try that runs, if it can be interrupted; else null. Read by snapshots, without an order. */
    @Nullable
    Attempt attempt;
    /**
     * The stage that goes on without a thread after the body returned. Also read by the thread that cancels it, which
     * may see the stage of the try before.
     */
    @Nullable
    CompletionStage<?> stage;
    /** The receiver of the stage's value, which becomes the task's result. */
    @Nullable
    Consumer<Object> keeper;
    /**
     * The failure of {@link #stage}; null for none. Written by the winner of {@link #stageEnds}, before the task goes
     * on.
     */
    @Nullable
    Throwable stageError;
    /** The value of {@link #stage}. Written with {@link #stageError}. */
    @Nullable
    Object stageValue;
    /** The result, which forgets what it needed to run when the task is over; null for none. */
    @Nullable
    ValueResult<?> result;
    /** True if the task holds its unordered resources. Written by its worker, or before the task is readied again. */
    boolean holds;
    /** The task's claim of data, from when the task is about to run until it is over. */
    @Nullable
    DataClaim claim;
    /** The phase of the task, as far as its group was told. */
    private TaskGroup.Phase phase = TaskGroup.Phase.ELSEWHERE;
    /** The planned access to data, which other tasks see before this one runs. Written before the submission. */
    @Nullable
    PlannedAccess intent;
    /** The state in which the body ended, while sub-tasks go on. */
    TaskState last = TaskState.DONE;
    /** The body that runs after the sub-tasks, before the task is over. */
    @Nullable
    TaskBody afterwards;

    /** Returns true if the staging of {@code domain} is to know of the task before the submission. */
    boolean hasPlan(DependencyDomain domain) {
        return planned && domain.staging().plans();
    }

    /** Tells the staging of {@code task}, which is to be submitted. */
    PlannedAccess plan(TaskNode task) {
        PlannedAccess plan = task.scope().domain.staging().plan(task.name(), kernel, task.declared(), place);
        intent = plan;
        return plan;
    }

    /** Returns true if nothing but the earlier tasks decides when the kernel may run, and what it does. */
    boolean mayLaunchAhead() {
        return !unordered && retry == null && timeLimitNanos == 0 && !interruptible && !adjustable && !synchronizing;
    }

    /** Takes back the claim of data, for another try. By the thread that runs the task. */
    void takeBack() {
        DataClaim mine = claim;
        if (mine != null) {
            claim = null;
            mine.takeBack();
        }
    }

    /** Moves the task to another phase, and tells its group. By the thread that runs the task, or ends it. */
    void goesTo(TaskGroup.Phase to) {
        TaskGroup its = group;
        if (its != null && phase != to) {
            its.goes(phase, to);
            phase = to;
        }
    }

    /** Releases the claim of data. By the thread that runs the task, or ends it. */
    void letGo(boolean well) {
        DataClaim mine = claim;
        if (mine != null) {
            claim = null;
            mine.release(well);
        }
    }

    /** Forgets the refinement, whose sub-tasks are all over. Returns the body that the task runs now; null for none. */
    @Nullable
    TaskBody again() {
        TaskBody rest = afterwards;
        refinement = null;
        afterwards = null;
        return rest;
    }

    /** Returns the reference to the task from resources that were made inside it; null before the first. */
    synchronized @Nullable Maker maker() {
        return maker;
    }

    /** Returns that reference, and makes it if there is none. */
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
     * Notes that {@code its} completed, or was given up. Returns true for the first call, whose caller goes on with the
     * task.
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
     * Forgets what the task needed to run, when it is over: its result, and trackers that still know the task, may live
     * longer.
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
        Maker its = maker(); // resources that were made inside live on
        if (its != null) {
            its.over();
        }
    }

    /** Notes that a worker has taken the task. */
    synchronized void starts() {
        at = at == Progress.BEFORE ? Progress.STARTING : at;
    }

    /** Notes that the body begins. By its worker. */
    void bodyBegins() {
        if (adjustable) {
            synchronized (this) {
                at = Progress.RUNNING;
            }
        }
    }

    /** Notes that the body, and what it began, is over. Returns the refinement; null for none. By the task's worker. */
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
     * @param pending true if the caller holds the task pending
     * @return the tasks that need not wait for this one any more; null if it is too late
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
        List<TaskNode> freed = new ArrayList<>(settle(task)); // earlier demotions come first
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

    /** Returns the refinement of a running task, for one more block that submits. By its body. */
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

    /** Returns the refinement of a task, for one more block that submits; null if it is too late. Any thread. */
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
     * Makes the demotions of the time when the task was pending, now that it is ready. Returns the tasks that need not
     * wait for this one any more.
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
