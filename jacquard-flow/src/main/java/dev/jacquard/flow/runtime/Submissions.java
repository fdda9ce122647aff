package dev.jacquard.flow.runtime;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.OpenRuns;
import dev.jacquard.core.graph.OpenRuns.OpenRun;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskGroup;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.runtime.RunPlan.PipelinePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks, devices and data of its session that a run uses, and the handles of its loans. The tasks of items are in
 * one graph of the run and the releases of buffers in another, since the end of the copies waits only for the former;
 * each is created at the first use. A run on workers alone has no session: it submits no tasks, and its memory edges
 * lend no data.
 *
 * <p>Threads: any.
 */
final class Submissions implements Loans.Lender {
    private final String flow;
    private final @Nullable Session session;
    private final RunLife life;
    /** The graph of the tasks of items; null before the first use. Guarded by this. */
    private @Nullable TaskGraph graph;
    /** The graph of the releases of buffers; null before the first use. Guarded by this. */
    private @Nullable TaskGraph releases;
    /** The buffers that dynamic edges have got back and that are not released yet. */
    private final Set<Data> toFree = ConcurrentHashMap.newKeySet();
    /**
     * The buffers of dynamic edges with loans that end after their tasks. Added by the thread that releases, removed by
     * the one that ends the loan.
     */
    private final Set<Data> released = ConcurrentHashMap.newKeySet();
    /**
     * True once no task of the run is at work any more. Written by the thread that closes the run, before it frees
     * buffers.
     */
    private volatile boolean ended;
    /** True if the graphs are cancelled, even if they are created later. Guarded by this. */
    private boolean cancelled;

    Submissions(String flow, @Nullable Session session, RunLife life) {
        this.flow = flow;
        this.session = session;
        this.life = life;
    }

    /** Makes a run known to the session, if there is one. */
    void add(OpenRun run) {
        if (session != null) {
            session.openRuns().add(run);
        }
    }

    /** Removes a closed run from the session, if there is one. */
    void remove(OpenRun run) {
        if (session != null) {
            session.openRuns().remove(run);
        }
    }

    /** Returns a handle that belongs to the session, if there is one, so that its tasks may access the value. */
    @Override
    public Handle<Object> handle(String name, Object value, Lease of) {
        return session == null ? new Handle<>(name, this, value, null, null, null, of) : session.lend(name, value, of);
    }

    @Override
    public boolean mayBeInUse(Lease loan) {
        // Data is used by tasks that declare it, not its handle. Data that is lent again has its place after these
        // tasks; but an edge that makes new data for the next loan must wait for their end, or there is more than it
        // may lend.
        return loan.value() instanceof Data ? loan.pool.dynamic : loan.isDeclared();
    }

    @Override
    public void returned(Lease loan, WakeList wakes, @Nullable Throwable problem) {
        if (problem != null) {
            life.raise(loan.pool.name, "release", loan.name(), problem);
        }
        life.settle(wakes);
    }

    @Override
    public void behind(Lease loan, Handle<?> lent, Runnable then) {
        if (loan.value() instanceof Data buffer) {
            releaseForGood(buffer, then);
            return;
        }
        TaskGroup group = releases().group();
        group.task("release of " + lent.name()).updates(lent).run(context -> {});
        group.whenOver(then);
    }

    @Override
    public void endsBehind(Lease loan, Handle<?> lent) {
        if (loan.isDeclared() && !(loan.value() instanceof Data)) { // freeing data waits for its users
            behind(loan, lent, () -> {});
        }
    }

    /**
     * Creates a group for the tasks of one item.
     *
     * @param mayLeave true if kernels may run elsewhere when the device is lost or fails
     */
    TaskGroup group(@Nullable ExecutionTarget device, TaskGroup.Watcher watcher, boolean mayLeave) {
        TaskGroup group = graph().group(device, watcher);
        return mayLeave ? group.orElsewhere() : group;
    }

    private synchronized TaskGraph graph() {
        TaskGraph known = graph;
        if (known == null) {
            known = newGraph();
            graph = known;
        }
        return known;
    }

    private synchronized TaskGraph releases() {
        TaskGraph known = releases;
        if (known == null) {
            known = newGraph();
            releases = known;
        }
        return known;
    }

    private synchronized TaskGraph newGraph() {
        TaskGraph created = session("submits tasks").graph(flow, FailurePolicy.CONTINUE);
        if (cancelled) {
            created.cancel();
        }
        return created;
    }

    private synchronized @Nullable TaskGraph graphOrNull() {
        return graph;
    }

    private synchronized @Nullable TaskGraph releasesOrNull() {
        return releases;
    }

    /** Returns the session; throws if there is none and the flow's action {@code what} needs one. */
    private Session session(String what) {
        if (session == null) {
            throw new IllegalStateException(
                    "flow \"" + flow + "\" " + what + ": it must be started with a session, not with workers alone");
        }
        return session;
    }

    /**
     * Returns the copies of a task, each with its device.
     *
     * @throws IllegalArgumentException if the task is for a device that the session does not have
     */
    List<CopyInfo> copies(StagePlan task) {
        StagePlan.Share share = task.share();
        PipelinePlan.Place place = task.place();
        List<ExecutionTarget> devices =
                devices(share.task(), task.options().submitting().devices());
        List<CopyInfo> copies = new ArrayList<>();
        for (int index = 0; index < task.copies(); index++) {
            int number = share.first() + index;
            ExecutionTarget device = devices.isEmpty() ? null : devices.get(number % devices.size());
            copies.add(new CopyInfo(
                    share.task(),
                    number,
                    share.all(),
                    place.number(),
                    place.copies(),
                    device == null ? place.device() : device));
        }
        return copies;
    }

    /** Returns the routing of items among {@code copies}, by times that the session has learned under {@code name}. */
    Routing routing(String name, List<CopyInfo> copies) {
        Session its = session("routes items by measured time");
        List<Place> targets = copies.stream()
                .map(CopyInfo::device)
                .map(device -> device == null ? null : its.executor().place(device))
                .map(place -> place == null ? Place.HOST : place)
                .toList();
        return Routing.of(targets, its.executor().times(), name);
    }

    /** Returns true if {@code target} is a device out of service. */
    boolean isLost(ExecutionTarget target) {
        return session != null
                && !target.equals(ExecutionTarget.HOST)
                && !Double.isFinite(session.data().copyNanos(ExecutionTarget.HOST.name(), target.name(), 1));
    }

    private List<ExecutionTarget> devices(String task, List<ExecutionTarget> wanted) {
        List<ExecutionTarget> found = new ArrayList<>();
        for (ExecutionTarget target : wanted) {
            Session session = session("has tasks for devices");
            List<ExecutionTarget> fitting =
                    target.equals(ExecutionTarget.HOST) ? List.of(target) : session.devices(target);
            if (fitting.isEmpty()) {
                throw new IllegalArgumentException("task \"" + task + "\" of flow \"" + flow + "\" is for device "
                        + target + ", and the session has none; its targets are " + session.targets()
                        + ": name one of these, or add the device with Session.builder().device(...)");
            }
            found.addAll(fitting);
        }
        return found;
    }

    /** Returns new data, for a take that states the layout. */
    Data allocate(String edge, Layout layout) {
        return session("has data in memory edge \"" + edge + '"').data().of(edge, layout);
    }

    /** Returns the allocator of a memory edge that lends data; without a layout, takes state theirs. */
    Allocator<Data> data(String edge, @Nullable Layout layout) {
        Session session = session("has data in memory edge \"" + edge + '"');
        return new Allocator<>() {
            @Override
            public Data allocate() {
                return session.data().of(edge, Objects.requireNonNull(layout));
            }

            @Override
            public void recycle(Data buffer) {
                releases().release(buffer); // after the tasks that still use it
            }

            @Override
            public void free(Data buffer) {
                // No buffer is left that was released after its tasks; a run that did not start never had any.
                if (!released.remove(buffer) && ended) {
                    session.data().free(buffer);
                }
            }
        };
    }

    /**
     * Releases a buffer of a dynamic edge while tasks may be at work. Buffers that a cancelled graph does not release
     * are freed at the end.
     *
     * @param then is run when the tasks are over
     */
    private void releaseForGood(Data buffer, Runnable then) {
        toFree.add(buffer);
        released.add(buffer);
        TaskGroup group = releases().group();
        group.release(buffer);
        group.whenOver(() -> {
            if (group.failure() == null) {
                toFree.remove(buffer);
            }
            then.run();
        });
    }

    /** Cancels the graphs: no further task begins. */
    void cancel() {
        synchronized (this) {
            cancelled = true;
        }
        TaskGraph items = graphOrNull();
        if (items != null) {
            items.cancel();
        }
        TaskGraph ends = releasesOrNull();
        if (ends != null) {
            ends.cancel();
        }
    }

    /** Returns true if {@link #requireNotHeldUp} throws. Asked again and again by a thread that waits. */
    boolean isHeldUp() {
        TaskGraph known = graphOrNull();
        return known != null && OpenRuns.isHeldUp(known);
    }

    /**
     * Throws if tasks of items, for which the copies wait, cannot be over before the calling thread closes a user view
     * or ends the function of a task.
     */
    void requireNotHeldUp() {
        requireNotHeldUp(graphOrNull());
    }

    /** Throws if {@link #end} would wait for tasks that the calling thread holds up. */
    void requireMayEnd() {
        requireNotHeldUp(graphOrNull());
        requireNotHeldUp(releasesOrNull());
    }

    private static void requireNotHeldUp(@Nullable TaskGraph known) {
        if (known != null) {
            OpenRuns.requireNotHeldUp(known);
        }
    }

    /** Ends the graphs. The copies waited for the tasks of items, and the run has reported failures. */
    void end(ClosingWaits waits) {
        ended = true;
        try {
            await(graphOrNull(), waits);
        } finally {
            try {
                await(releasesOrNull(), waits);
            } finally {
                free(waits);
            }
        }
    }

    private static void await(@Nullable TaskGraph known, ClosingWaits waits) {
        if (known != null) {
            try {
                waits.await(known::await);
            } catch (CancellationException | TaskFailedException e) {
                // The run failed with this failure, or was stopped: the run's own exception says so.
            }
        }
    }

    private void free(ClosingWaits waits) {
        toFree.forEach(buffer -> waits.await(() -> session("has data").data().free(buffer)));
        toFree.clear();
    }
}
