package dev.jacquard.core.compiled;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.compiled.CompiledGraph.DataUse;
import dev.jacquard.core.execution.KnownGraphs;
import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.core.graph.DependencyDomain.CompiledWatch;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.residency.Recomputation;
import dev.jacquard.memory.residency.Staging;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects tasks and edges, and freezes them into a {@link CompiledGraph}. Tasks are numbered from 0 in the order in
 * which they are added; an edge leads from a lower number to a higher one, so no cycle can arise.
 *
 * <p>A task's {@linkplain DeclaredAccesses accesses} limit the resources that {@code ctx.get} returns, and are named in
 * messages; edges are not inferred from them here.
 *
 * <p>Threads: confined to one. Builds one graph.
 */
public final class CompiledGraphBuilder {
    private static final KernelBody NOTHING = context -> {};

    private final String name;
    private final Object owner;
    private final Dispatcher dispatcher;
    private final @Nullable Staging staging;
    private final @Nullable DependencyDomain domain;
    /** The graphs of the session, to which the built graph is added; null without a session. */
    private final @Nullable KnownGraphs<CompiledGraph> known;

    private FailurePolicy policy = FailurePolicy.CONTINUE;
    private CompiledGraph.OverlapRule whenBusy = CompiledGraph.OverlapRule.REFUSE;
    private final Drafts drafts;
    private int[] earlier = new int[16];
    private int[] packed = new int[16];
    private int edges;
    private @Nullable Decision repeat;
    private @Nullable CompiledWatch watch;
    private @Nullable Scheduler scheduler;
    private boolean built;

    /**
     * Creates a builder of a graph without a session's data and without a place among live tasks.
     *
     * @param name for messages
     * @param owner the session that owns the resources of the tasks
     * @param dispatcher runs the tasks: that session, or its engine
     */
    public CompiledGraphBuilder(String name, Object owner, Dispatcher dispatcher) {
        this(name, owner, dispatcher, null, null, null);
    }

    /**
     * Creates a builder of a session's graph.
     *
     * @param name for messages
     * @param owner the session that owns the resources of the tasks
     * @param dispatcher runs the tasks
     * @param staging brings data to where tasks run
     * @param domain the live tasks among which runs have their place; null when runs have none
     * @param known the graphs of the session, to which the built graph is added; null for none
     */
    public CompiledGraphBuilder(
            String name,
            Object owner,
            Dispatcher dispatcher,
            @Nullable Staging staging,
            @Nullable DependencyDomain domain,
            @Nullable KnownGraphs<CompiledGraph> known) {
        this.domain = domain;
        this.staging = staging;
        this.name = name;
        this.drafts = new Drafts(name);
        this.owner = owner;
        this.dispatcher = dispatcher;
        this.known = known;
    }

    /** Sets the observer that is notified of every change of a task's state; null for none. For sessions. */
    public CompiledGraphBuilder watchedBy(@Nullable CompiledWatch told) {
        watch = told;
        return this;
    }

    /** Sets the effect of a failed task on the rest of its run; {@link FailurePolicy#CONTINUE} by default. */
    public CompiledGraphBuilder onFailure(FailurePolicy choice) {
        Objects.requireNonNull(choice, "choice");
        requireOpen();
        policy = choice;
        return this;
    }

    /**
     * Sets the rule for a run that is started while another run is in flight; {@link CompiledGraph.OverlapRule#REFUSE}
     * by default.
     */
    public CompiledGraphBuilder whenBusy(CompiledGraph.OverlapRule choice) {
        Objects.requireNonNull(choice, "choice");
        requireOpen();
        whenBusy = choice;
        return this;
    }

    /** Sets the scheduler of the ready tasks of this graph; none by default: the session's policy orders them. */
    public CompiledGraphBuilder scheduler(Scheduler choice) {
        Objects.requireNonNull(choice, "choice");
        requireOpen();
        scheduler = choice;
        return this;
    }

    /** Adds a task that accesses nothing; returns its number, and throws as for one with accesses. */
    public int task(String task, KernelBody body) {
        return task(task, body, none -> {});
    }

    /**
     * Adds a task.
     *
     * @param task its name, for messages, traces and drawings; need not be unique
     * @param body the work of the task, in every run
     * @param accesses declares the accesses of the task
     * @return its number
     * @throws IllegalArgumentException when an access is to another session's resource, or to a part that data does not
     *     have
     */
    public int task(String task, KernelBody body, Consumer<? super DeclaredAccesses> accesses) {
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(body, "body");
        return add(task, body, DeclaredAccesses.by(accesses), null, null);
    }

    /** Adds a task that chooses one of several branches, and accesses nothing. */
    public int choose(String task, int branches, TaskChoice choice) {
        return choose(task, branches, choice, none -> {});
    }

    /**
     * Adds a task that chooses one of several branches. Of the tasks that {@link #guard} puts into branches, only the
     * tasks of the chosen branch run; the others are skipped.
     *
     * @param branches the number of branches
     * @param accesses declares the accesses of the choice
     * @return its number
     */
    public int choose(String task, int branches, TaskChoice choice, Consumer<? super DeclaredAccesses> accesses) {
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(choice, "choice");
        if (branches < 1) {
            throw new IllegalArgumentException(drafts.where(task) + " must have at least 1 branch, not " + branches);
        }
        Decision decision = new Decision(task, branches, choice);
        return add(task, decision, DeclaredAccesses.by(accesses), decision, null);
    }

    /** Adds a task that decides whether the run has another pass, and accesses nothing. */
    public int repeatWhile(String task, TaskCondition condition) {
        return repeatWhile(task, condition, none -> {});
    }

    /**
     * Adds a task that decides whether the run has another pass. The next pass begins when all of this one is over. No
     * pass follows when a task of this pass failed, or the run was cancelled.
     *
     * @param accesses declares the accesses of the condition
     * @return its number
     * @throws IllegalStateException when the graph has such a task already
     */
    public int repeatWhile(String task, TaskCondition condition, Consumer<? super DeclaredAccesses> accesses) {
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(condition, "condition");
        if (repeat != null) {
            throw new IllegalStateException(
                    drafts.where(task) + " cannot decide on another pass: another task does already");
        }
        Decision decision = new Decision(task, 2, context -> condition.test(context) ? 1 : 0);
        int number = add(task, decision, DeclaredAccesses.by(accesses), decision, null);
        repeat = decision;
        return number;
    }

    /** Adds a graph as a task, with no accesses other than the accesses of the tasks of that graph. */
    public int graph(String task, CompiledGraph inner) {
        return graph(task, inner, none -> {});
    }

    /**
     * Adds a graph as a task. The task is over when the inner run is; no worker waits for it.
     *
     * @param inner a graph of the same session; one that is added more than once should queue its runs
     * @param accesses declares the accesses of the task in addition to the accesses of the tasks of the graph
     * @return its number
     */
    public int graph(String task, CompiledGraph inner, Consumer<? super DeclaredAccesses> accesses) {
        Objects.requireNonNull(task, "task");
        Objects.requireNonNull(inner, "inner");
        if (inner.owner() != owner) {
            throw new IllegalArgumentException(
                    drafts.where(task) + " cannot be " + inner + ": that belongs to another session");
        }
        return add(task, NOTHING, DeclaredAccesses.by(accesses), null, new InnerRun(inner));
    }

    /**
     * Puts {@code task} into a branch: the task runs only when {@code chooser} chose {@code branch}. Else the task is
     * skipped, and the tasks that wait for it go on as if it had run. A failure that would have cancelled the skipped
     * task is handed on to them. A chooser may itself be in a branch; a skipped chooser chooses no branch.
     *
     * <p>Adds an edge from the chooser. Where {@code task} overwrites data, let the edges from earlier writers of that
     * data carry failure too: a skipped task overwrites nothing.
     *
     * @param chooser a number that {@link #choose} returned
     * @param branch from 0 on
     * @param task a higher number
     */
    public void guard(int chooser, int branch, int task) {
        Decision decision = drafts.get(chooser).decision();
        if (decision == null || decision == repeat) {
            throw new IllegalArgumentException(
                    drafts.where(drafts.get(chooser).name()) + " chooses no branch: add it with choose");
        }
        if (branch < 0 || branch >= decision.branches()) {
            throw new IllegalArgumentException(drafts.where(drafts.get(chooser).name()) + " has branches 0 to "
                    + (decision.branches() - 1) + ", not " + branch);
        }
        edge(chooser, task, true);
        drafts.guard(task, new Guard(decision, branch));
    }

    /**
     * Adds an edge. Several edges between the same two tasks count as one.
     *
     * @param before a number
     * @param after a higher number
     * @param carriesFailure true if {@code after} reads output of {@code before}, and so cannot run when {@code before}
     *     fails
     * @throws IllegalArgumentException when there is no such task, or the edge leads backwards
     */
    public void edge(int before, int after, boolean carriesFailure) {
        requireOpen();
        drafts.get(before);
        drafts.get(after);
        if (before >= after) {
            throw new IllegalArgumentException("compiled graph \"" + name
                    + "\": an edge leads from an earlier task to a later one, not from " + before + " (\""
                    + drafts.get(before).name() + "\") to " + after + " (\""
                    + drafts.get(after).name() + "\")");
        }
        if (edges == earlier.length) {
            earlier = Arrays.copyOf(earlier, 2 * edges);
            packed = Arrays.copyOf(packed, 2 * edges);
        }
        earlier[edges] = before;
        packed[edges++] = Adjacency.packed(after, carriesFailure);
    }

    /** Returns the tasks so far, to which recorders add their knowledge. */
    Drafts drafts() {
        return drafts;
    }

    /** Freezes the graph. */
    public CompiledGraph build() {
        requireOpen();
        built = true;
        Adjacency all = new Adjacency(drafts.size(), earlier, packed, edges);
        drafts.requireNoneSideBySide(all);
        RunState run = new RunState(this, all, drafts.inners());
        AccessList atOnce = drafts.haveData() ? drafts.dataOnHost(staging) : null;
        Standing[] standings = drafts.standings(all);
        TaskTraits[] traits = new TaskTraits[drafts.size()];
        for (int i = 0; i < traits.length; i++) {
            Draft draft = drafts.get(i);
            traits[i] = draft.traits(i, drafts.guards(i), atOnce != null, standings[i]);
        }
        drafts.reasons.complete(traits.length);
        Shown shown = new Shown(traits, all, drafts.reasons, repeat);
        OwnSchedule schedule = OwnSchedule.of(scheduler, name, shown, all, dispatcher.workers());
        Assembly assembly = new Assembly(run, all, dispatcher, schedule);
        run.tasks.fill(traits, assembly.tasks());
        for (int number : all.sequentialOrder()) { // tasks that run one after the other lie side by side in memory
            assembly.add(number, drafts.get(number).body(), traits[number]);
        }
        Node first = assembly.assemble();
        run.beginWith(
                first,
                atOnce == null
                        ? null
                        : new RunClaim(
                                drafts.requireStaging(name, staging), run, atOnce, first, traits, assembly.tasks()));
        DataUse use = atOnce != null ? DataUse.HOST : drafts.haveData() ? DataUse.STAGED : DataUse.NONE;
        CompiledGraph graph = new CompiledGraph(this, drafts, all, run, use, shown, schedule, staging);
        if (known != null && !known.add(new KnownGraphs.Reference<>(graph), false)) { // null without a session
            throw new IllegalStateException("graph \"" + name + "\" was compiled after its session was closed");
        }
        return graph;
    }

    private int add(
            String task, KernelBody body, AccessList accesses, @Nullable Decision decision, @Nullable InnerRun inner) {
        return add(task, body, accesses, inner == null, decision, inner); // an inner graph's tasks bring their own data
    }

    /** Adds a task. If not {@code stages}, no data is brought to it. */
    int add(
            String task,
            KernelBody body,
            AccessList accesses,
            boolean stages,
            @Nullable Decision decision,
            @Nullable InnerRun inner) {
        requireOpen();
        TaskTraits.requireAccesses(name, task, owner, accesses);
        StagedStep staged = stages && Drafts.touchesData(accesses)
                ? new StagedStep(
                        drafts.requireStaging(task, staging), dispatcher, task, accesses, Place.HOST, null, null)
                : null;
        KernelBody its = domain == null ? body : domain.checked(body, accesses, staged != null);
        return drafts.add(new Draft(task, its, accesses, decision, inner, staged));
    }

    /**
     * Adds a task that runs on a device. For recorders.
     *
     * @param work null for a task that has its data brought there, and nothing else
     * @param recipe how to do that work again; null when that is unknown
     */
    int onDevice(
            String task,
            KernelCall.@Nullable OnDevice work,
            @Nullable Recomputation recipe,
            Place place,
            AccessList accesses) {
        requireOpen();
        TaskTraits.requireAccesses(name, task, owner, accesses);
        StagedStep staged =
                new StagedStep(drafts.requireStaging(task, staging), dispatcher, task, accesses, place, work, recipe);
        return drafts.add(new Draft(task, NOTHING, accesses, null, null, staged));
    }

    private void requireOpen() {
        if (built) {
            throw new IllegalStateException("compiled graph \"" + name + "\" is built: take a new builder for another");
        }
    }

    // ---- for the graph

    Object owner() {
        return owner;
    }

    String name() {
        return name;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    @Nullable
    DependencyDomain domain() {
        return domain;
    }

    /** Returns the graphs of the session; null without a session. */
    @Nullable
    KnownGraphs<CompiledGraph> known() {
        return known;
    }

    FailurePolicy policy() {
        return policy;
    }

    CompiledGraph.OverlapRule whenBusy() {
        return whenBusy;
    }

    @Nullable
    CompiledWatch watch() {
        return watch;
    }

    @Nullable
    Decision repeat() {
        return repeat;
    }
}
