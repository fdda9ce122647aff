package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.base.concurrent.SpinLock;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker;
import dev.jacquard.memory.depend.Exclusions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The inside of a refined task: its sub-tasks, with trackers of their own, which tasks outside never meet. The task is
 * over when its body and all sub-tasks are.
 *
 * <p>Each sub-task of a task that has not started waits for that start by a link, as for an earlier task.
 *
 * <p>Source: the resource-register document, section 2.3.
 */
final class Refinement extends Scope implements Tasks {
    private static final int SWEEP = 16;

    private static final VarHandle LIVE = Fields.handle(MethodHandles.lookup(), "live", int.class);
    private static final VarHandle STARTERS = Fields.handle(MethodHandles.lookup(), "starters", Link.class);
    private static final VarHandle ENDED = Fields.handle(MethodHandles.lookup(), "ended", long.class);

    private final TaskNode parent;
    /** The trackers of the sub-tasks. Guarded by the lock. */
    private final LocalTrackers trackers = new LocalTrackers();

    /** The accesses given to sub-tasks; in checking mode only. */
    private final @Nullable DelegatedAccesses handedOn;

    private final Exclusions<TaskNode, Poison> exclusions = new Exclusions<>();

    /** Sub-tasks with unordered resources, which no tracker knows; some may be over. Guarded by the lock. */
    private final List<TaskNode> excluding = new ArrayList<>();

    /** The size of {@link #excluding} at which to remove the tasks that are over. Guarded by the lock. */
    private int sweepAt = SWEEP;

    /**
     * The live parts: 1 for the body, and 1 for each sub-task that is not over and each block that submits. Changed by
     * getAndAdd.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private int live = 1;

    /** The number of sub-tasks submitted. Guarded by the lock. */
    private long submitted;

    /** The number of sub-tasks that have ended. Changed by getAndAdd. */
    @SuppressWarnings("unused") // through its VarHandle
    private long ended;

    /** Sub-tasks that wait for the start; {@link Link#CLOSED} from then on. CAS and getAndSet, like a task's links. */
    @SuppressWarnings("unused") // through its VarHandle
    private @Nullable Link starters;

    /** The reason why the task was never started. Written before {@link #starters} is closed, read after. */
    private @Nullable Outcome neverStarted;

    /** The number of blocks that submit right now. Guarded by the lock. */
    private int open;

    /** The first sub-task that did not end well. Guarded by the lock. */
    private @Nullable Outcome failure;

    /** Creates the inside of {@code parent}. */
    Refinement(TaskNode parent) {
        super(parent.scope().graph, parent.scope().domain, new SpinLock(parent.scope().domain.broken));
        this.parent = parent;
        this.handedOn = domain.checking() == null ? null : new DelegatedAccesses();
    }

    // ---- for the code that refines

    /** Begins a block that submits. The task is not over before {@link #leaveBlock}. */
    void enterBlock() {
        LIVE.getAndAdd(this, 1);
        try {
            lock.lock();
            open++;
            lock.unlock();
        } catch (Error e) { // a block that was not entered is not left either
            domain.broken.by = e; // a field, since there may be no stack left for a call
            throw e;
        }
    }

    /**
     * Ends a block that submits. A block from outside may be the last part of the task, which then goes on as any ready
     * task does.
     */
    void leaveBlock() {
        lock.lock();
        open--;
        lock.unlock();
        if (partOver()) {
            domain.dispatcher.ready(new LastPart(parent));
        }
    }

    /**
     * Returns true if a block has begun and not ended. By the body's worker, after the body: the end of the block
     * itself then failed.
     */
    boolean hasOpenBlock() {
        return open != 0;
    }

    /** Runs a block that submits and was entered before. */
    @SuppressWarnings("Finally") // the error at the end counts more: the run ends by it
    void submit(Consumer<? super Tasks> submission) {
        try {
            submission.accept(this);
        } finally {
            try {
                leaveBlock();
            } catch (Error e) { // the task may never be over
                domain.broken.by = e; // a field, since there may be no stack left for a call
                throw e;
            }
        }
    }

    @Override
    public TaskBuilder task(String task) {
        return new TaskBuilder(this, task);
    }

    @Override
    void requireOpen(TaskNode task) {
        domain.broken.requireNone();
        if (open == 0) {
            throw new IllegalStateException(
                    "task \"" + task.name() + "\" was submitted to the inside of task \"" + parent.name()
                            + "\" after the block that refines that task has ended:"
                            + " submit it inside the block, or to another graph");
        }
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            requireCovered(task, declared.resource(i), declared.access(i));
        }
    }

    private void requireCovered(TaskNode task, Resource resource, Access access) {
        if (access instanceof TagAccess) {
            return; // no data, and no task outside has the tag of a task inside
        }
        Origin origin = Origin.of(resource);
        if (origin != null && origin.isFreeIn(this)) {
            return; // made inside, and unknown outside
        }
        AccessList allowed = parent.allowed();
        if (allowed.covers(resource, access)) {
            return;
        }
        StringBuilder has = new StringBuilder();
        for (int i = 0; i < allowed.size(); i++) {
            Resource of = allowed.resource(i);
            if (of == resource || resource.isWithin(of)) {
                has.append(has.isEmpty() ? "" : ", ")
                        .append(allowed.access(i))
                        .append(' ')
                        .append(of);
            }
        }
        throw new IllegalArgumentException("sub-task \"" + task.name() + "\" of task \"" + parent.name() + "\" needs "
                + access + ' ' + resource
                + (has.isEmpty()
                        ? ", but its parent declares no access to " + resource
                        : ", which is more than its parent declares: " + has)
                + "; declare it on the parent, since a refinement must not promote");
    }

    /**
     * Throws if a live sub-task needs more than {@code left}, which its parent is to keep. Else runs {@code then}
     * before another one can be submitted, but not if one has failed: so others learn of half written resources at the
     * end.
     */
    void requireStillCovered(AccessList left, String what, Runnable then) {
        lock.lock();
        try {
            boolean[] failed = {failure != null}; // the last failures may not be noted yet
            trackers.each((resource, tracker) -> tracker.each((known, access) -> {
                if (!(known instanceof TaskNode task)) {
                    failed[0] = true;
                } else if (task.isOver()) {
                    failed[0] |= task.fate() != null;
                } else {
                    requireStillCovered(left, task, resource, access, what);
                }
            }));
            for (TaskNode task : excluding) {
                AccessList needed = task.accessesUnlessOutcome();
                if (needed == null) {
                    failed[0] |= task.fate() != null;
                } else {
                    needed.each((resource, access) -> requireStillCovered(left, task, resource, access, what));
                }
            }
            if (!failed[0]) {
                then.run();
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireStillCovered(AccessList left, TaskNode task, Resource resource, Access access, String what) {
        // A resource that the parent does not cover now was made by the parent or a part of it, and is not given up.
        if (!(access instanceof TagAccess)
                && !left.covers(resource, access)
                && parent.allowed().covers(resource, access)) {
            throw new IllegalStateException(
                    what + ", since its sub-task \"" + task.name() + "\" still needs " + access + ' ' + resource);
        }
    }

    // ---- lifecycle

    /**
     * Notes that the body runs already, so that no sub-task waits for its start. By the body's thread, before any other
     * thread knows of this object.
     */
    void startedAlready() {
        starters = Link.CLOSED;
    }

    /**
     * Releases the sub-tasks that waited for the start of the body, which is about to run. They go at once, since the
     * body may take long. By the task's worker.
     */
    void start() {
        closeStarters(null, null);
    }

    /** Cancels the sub-tasks, since the task will never run. By the task's worker. */
    void neverStart(WorkerContext context, Outcome why) {
        neverStarted = why;
        closeStarters(context, why);
    }

    private void closeStarters(@Nullable WorkerContext context, @Nullable Outcome why) {
        Link link = (Link) STARTERS.getAndSet(this, Link.CLOSED);
        for (; link != null; link = link.next) {
            TaskNode later = Objects.requireNonNull(link.later);
            if (why != null) {
                later.cancelBecause(why);
            }
            later.edgeGone(context);
        }
    }

    /** Notes that the body, or a block that submits, has ended. Returns true if that was the last part of the task. */
    boolean partOver() {
        return (int) LIVE.getAndAdd(this, -1) == 1;
    }

    /**
     * Returns the outcome of the sub-tasks, for a task whose own body ended well; null when all sub-tasks ended well.
     * Called after the end of all of them.
     */
    @Nullable
    Outcome failure() {
        return failure;
    }

    /** Notes that a sub-task is over, and its links are closed. Returns true if that was the last part of the task. */
    boolean subTaskOver(@Nullable Outcome how) {
        if (how != null) {
            lock.lock();
            failure = failure == null || (how.root() != null && failure.root() == null) ? how : failure;
            lock.unlock();
        }
        return partOver();
    }

    /**
     * Forgets the trackers and resources of the inside, since the body and all sub-tasks are over. Results, and
     * resources that were made inside, must not keep alive the objects that the sub-tasks used. By the worker that
     * ended the last of them.
     */
    void over() {
        lock.lock();
        try {
            trackers.clear();
            excluding.clear();
        } finally {
            lock.unlock();
        }
        exclusions.forget();
        if (handedOn != null) {
            handedOn.clear();
        }
    }

    // ---- for threads that look from outside

    /** Returns the sub-tasks that wait for the start right now; null when none does. Any thread. */
    @Nullable
    Link startersNow() {
        Link link = (Link) STARTERS.getAcquire(this);
        return link == Link.CLOSED ? null : link;
    }

    // ---- as a scope

    @Override
    TaskNode parent() {
        return parent;
    }

    @Override
    AccessTracker<Tracked> tracker(Resource resource) {
        return trackers.of(resource);
    }

    /** Returns, in checking mode, a sub-task that may touch {@code resource}; null when none may. */
    @Nullable
    String handedOnTo(Resource resource) {
        return handedOn == null ? null : handedOn.to(resource);
    }

    @Override
    void enter(TaskNode task) {
        if (handedOn != null) {
            handedOn.add(task);
        }
        LIVE.getAndAdd(this, 1);
        TaskRun run = task.taskRun();
        if (run != null && run.options.unordered) {
            remember(task);
        }
        Link link = new Link(task, true, true);
        for (Link head = (Link) STARTERS.getAcquire(this);
                head != Link.CLOSED;
                head = (Link) STARTERS.getAcquire(this)) {
            link.next = head;
            if (STARTERS.compareAndSet(this, head, link)) {
                edges.count(task);
                return;
            }
        }
        if (neverStarted != null) {
            task.cancelBecause(neverStarted);
        }
    }

    private void remember(TaskNode task) {
        if (excluding.size() >= sweepAt) {
            excluding.removeIf(one -> one.isOver() && one.fate() == null);
            sweepAt = Math.max(SWEEP, 2 * excluding.size());
        }
        excluding.add(task);
    }

    @Override
    void afterSubmission(long number) {
        if ((number & (LOOK_SELDOM - 1)) == 0 && number - ended() > MANY_LIVE) {
            domain.dispatcher.runReady(() -> number - ended() <= MANY_LIVE);
        }
    }

    @Override
    long count() {
        graph.subTaskSubmitted();
        return ++submitted;
    }

    @Override
    long submitted() {
        return submitted;
    }

    @Override
    long ended() {
        return (long) ENDED.getAcquire(this);
    }

    @Override
    void end(WorkerContext worker, TaskState last) {
        graph.subTaskEnded(worker, last);
        ENDED.getAndAdd(this, 1L);
    }

    @Override
    Exclusions<TaskNode, Poison> exclusions() {
        return exclusions;
    }
}
