package dev.jacquard.core.graph;

import dev.jacquard.engine.work.CancelSignal;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.DataClaim;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The view of a task that its own body has, and threads that refine or demote the task in the body's place. Holds no
 * state; all state is in {@link TaskNode}.
 *
 * <p>Threads: the body's, but for methods that are said to be called from outside.
 */
abstract class RunningTask extends ObservedTask implements TaskContext, CancelSignal {
    /** Classes that plain tasks lack: a method is not inlined while a class that its signature names is not loaded. */
    @SuppressWarnings("unused")
    private static final Class<?>[] LOADED = {TaskRun.class, StagedData.class};

    /** Returns the run of the task, which is made when the task has none yet. By the body's thread. */
    abstract TaskRun ownTaskRun();

    private TaskNode self() {
        return (TaskNode) this;
    }

    @Override
    public final void pause() {
        if (scope().domain.checking() != null) {
            CheckedBody.pause(self(), true);
        }
    }

    @Override
    public final void goOn() {
        if (scope().domain.checking() != null) {
            CheckedBody.pause(self(), false);
        }
    }

    /**
     * Returns the accesses as they are now.
     *
     * @throws IllegalStateException when the task is over
     */
    final AccessList declared() {
        AccessList known = accessesNow();
        if (known == null) {
            throw new IllegalStateException("task \"" + name()
                    + "\" is over, and its context was used: use a context in the body that gets it alone");
        }
        return known;
    }

    /**
     * Returns the accesses that sub-tasks may need: the present ones, or the ones left when a pending task becomes
     * ready.
     */
    final AccessList allowed() {
        TaskRun mine = taskRun();
        AccessList left = mine == null || mine.adjustment == null ? null : mine.adjustment.left();
        return left == null ? declared() : left;
    }

    @Override
    public final <T> T get(Handle<T> handle) {
        Objects.requireNonNull(handle, "handle");
        AccessList known = declared();
        if (known.has(handle)) {
            touches(handle, known);
            return handle.granted();
        }
        throw Accesses.undeclared(name(), handle);
    }

    /** Keeps the value of {@code handle}, which the body is about to get, as far as another try may need it. */
    private void touches(Handle<?> handle, AccessList declared) {
        TaskRun mine = taskRun();
        if (mine != null) {
            mine.tries.touches(handle, declared);
        }
    }

    @Override
    public final Memory memory(View part) {
        Objects.requireNonNull(part, "part");
        TaskRun mine = taskRun();
        DataClaim claim = mine == null ? null : mine.claim();
        if (!declared().has(part.data())) {
            throw Accesses.undeclared(name(), part.data());
        }
        if (claim == null) {
            throw new IllegalStateException(
                    "task \"" + name() + "\" touches \"" + part.data().name()
                            + (refinementNow() == null
                                    ? "\", and is unstaged, so its data is not there:"
                                            + " let sub-tasks access it, or leave out unstaged()"
                                    : "\" after it was refined, when its sub-tasks have the data:"
                                            + " do the rest of the work"
                                            + " in ctx.afterwards, or in a sub-task"));
        }
        return claim.memory(part.data(), part.box());
    }

    @Override
    public final <T> T get(String handle, Class<T> type) {
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(type, "type");
        AccessList known = declared();
        Handle<?> its = Named.handle(name(), known, handle);
        touches(its, known);
        return Named.value(name(), its, type);
    }

    @Override
    public final Memory memory(String data) {
        Objects.requireNonNull(data, "data");
        return memory(Named.data(name(), declared(), data));
    }

    @Override
    public final boolean cancelled() {
        return scope().graph.isCancelled();
    }

    @Override
    public final void parallelFor(long from, long to, long grain, int helpers, RangeBody body) throws Exception {
        Objects.requireNonNull(body, "body");
        scope().domain.dispatcher.loop(from, to, grain, helpers, body, this);
    }

    @Override
    public final void refine(Consumer<? super Tasks> submission) {
        Objects.requireNonNull(submission, "submission");
        declared(); // throws when the task is over
        TaskRun own = ownTaskRun();
        Refinement inside = own.adjustment == null ? own.enterRefinement(true) : own.adjustment.refineNow();
        inside.submit(submission);
    }

    @Override
    public final void afterwards(TaskBody rest) {
        Objects.requireNonNull(rest, "rest");
        declared(); // throws when the task is over
        ownTaskRun().afterwards(scope().domain.checked(rest));
    }

    @Override
    public final void demote(Resource resource, Access to) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(to, "to");
        Demotions.demote(self(), new Demotion(resource, to));
    }

    // ---- from outside: any thread

    @Override
    @SuppressWarnings("Finally") // the error at the end counts more: the run ends by it
    public final boolean tryRefine(Consumer<? super Tasks> submission) {
        Objects.requireNonNull(submission, "submission");
        Adjustment mine = requireAdjustable("refined");
        BrokenSubmission broken = scope().domain.broken;
        boolean pending = self().hold();
        try {
            Refinement inside = mine.refine();
            if (inside == null) {
                return false;
            }
            inside.submit(submission);
            return true;
        } finally {
            if (pending) {
                try {
                    self().edgeGone(null);
                } catch (Error e) { // the task may never be ready
                    broken.by = e; // a field, since there may be no stack left for a call
                    throw e;
                }
            }
        }
    }

    @Override
    @SuppressWarnings("Finally") // the error at the end counts more: the run ends by it
    public final boolean tryDemote(Resource resource, Access to) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(to, "to");
        Adjustment mine = requireAdjustable("demoted");
        BrokenSubmission broken = scope().domain.broken;
        boolean pending = self().hold();
        try {
            List<TaskNode> freed = mine.demote(new Demotion(resource, to), pending);
            if (freed == null) {
                return false;
            }
            for (TaskNode later : freed) {
                later.edgeGone(null);
            }
            return true;
        } catch (VirtualMachineError e) { // a part of the demotion may have happened
            broken.by = e; // a field, since there may be no stack left for a call
            throw e;
        } finally {
            if (pending) {
                try {
                    self().edgeGone(null);
                } catch (Error e) { // the task may never be ready
                    broken.by = e;
                    throw e;
                }
            }
        }
    }

    private Adjustment requireAdjustable(String what) {
        TaskRun mine = taskRun();
        if (mine == null || mine.adjustment == null) {
            throw new IllegalStateException("task \"" + name() + "\" cannot be " + what
                    + " from outside: build it with adjustable(), or let its own body do it");
        }
        if (mine.tries.route() != null) {
            throw new IllegalStateException("task \"" + name() + "\" cannot be " + what
                    + " from outside: its kernel runs on a device with all declared accesses; run it on the host");
        }
        return mine.adjustment;
    }
}
