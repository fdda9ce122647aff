package dev.jacquard.flow.runtime;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One run of a graph, from start to close; untyped, see {@code dev.jacquard.flow.FlowRun} for the users' view. Its
 * state, and the reason why it stopped, are in {@link RunLife}.
 *
 * <p>Threads: every method may be called by any thread. Locks: that of the input is outside of the ledger's and the
 * stages' locks.
 */
public final class Run implements RunLife.Owner {
    private static final String OUTSIDE = "code outside of the graph";

    private final RunContext context;
    private final Workers workers;
    private final RunLife life;
    private final RunParts parts;
    private final Sending sending;
    private final Results results;
    private final ReactiveEnds reactive;
    private final Standing standing;
    private final DedicatedThreads threads;

    /** The stages with queues that call the user's code. */
    private final Stage[] ordered;
    /** True while the graph's output may get items from outside, for which no copy is at work. */
    private final AtomicBoolean feedsOutput;

    private final RunEnd end;

    private Run(Workers workers, @Nullable Session session, RunPlan plan) {
        this.workers = workers;
        this.threads = new DedicatedThreads(workers);
        this.life = new RunLife(this, workers, plan.graph());
        Submissions submissions = new Submissions(plan.graph(), session, life);
        RunSignal signal = new RunSignal(workers);
        BufferGrants ledger = new BufferGrants(workers.trace()::nanoTime, signal::send, life.broken);
        Loans loans = new Loans(ledger, submissions);
        this.context = new RunContext(plan, workers, signal, life, submissions, ledger, loans);
        this.parts = new Assembly(context, new OutputQueue(plan.resultBound(), signal::send)).build();
        this.end = new RunEnd(context, threads, this::cancel);
        this.sending = new Sending(parts, life, workers);
        this.results = new Results(life, parts.output(), this::requireNoComparator);
        this.reactive = new ReactiveEnds(this, parts, sending, signal);
        this.standing = new Standing(parts, context, sending, reactive, this::closeFirst, this::requireNoComparator);
        this.ordered = parts.stages().stream()
                .filter(stage -> stage.setup.callsUserCode())
                .toArray(Stage[]::new);
        this.feedsOutput = new AtomicBoolean(
                Arrays.stream(RunPlan.StagePlan.consumers(plan.inputs())).anyMatch(to -> to == RunPlan.OUTPUT));
        life.begin(parts.copies().size() + (feedsOutput.get() ? 1 : 0));
        parts.stages().forEach(stage -> stage.figures.start(life.startNanos()));
    }

    /**
     * Starts a run with the workers, tasks and data of a session: allocates the static buffers and makes every copy
     * ready.
     *
     * @throws FlowFailedException when an allocator throws; nothing has started then
     */
    public static Run start(Session session, RunPlan plan) {
        return start(session.executor(), session, plan);
    }

    /** Starts a run on workers alone, for flows that submit no tasks and have no memory edges that lend data. */
    public static Run start(Workers workers, RunPlan plan) {
        return start(workers, null, plan);
    }

    private static Run start(Workers workers, @Nullable Session session, RunPlan plan) {
        Run run = new Run(workers, session, plan);
        try {
            run.context.submissions().add(run.standing);
        } catch (RuntimeException e) {
            Suppressed.addAll(e, run.context.loans().freeAll());
            throw e;
        }
        try {
            run.launch();
        } catch (Error e) { // copies may never begin, and the session waits for them
            run.life.broken.by = e;
            run.life.endBroken();
            throw e;
        }
        return run;
    }

    private void launch() {
        WakeList woken = new WakeList();
        for (Stage stage : parts.stages()) {
            if (stage.setup.plan.options().is(StagePlan.Trait.START)) {
                woken.add(stage.append(null, context.ledger().signal(stage.here(), woken), 1, null));
            }
        }
        assert woken.detach() == null : "no copy sleeps before the start";
        for (TaskInstance copy : parts.copies()) {
            if (copy.own != null) {
                launch(copy, copy.own);
            }
        }
        for (TaskInstance copy : parts.copies()) { // a worker runs its newest first: consumers sleep before items come
            if (copy.own == null) {
                workers.ready(copy);
            }
        }
        life.copyDone();
    }

    /** Starts the thread of a copy. Where there can be none, the run fails, and the copy ends at once. */
    private void launch(TaskInstance copy, DedicatedThread own) {
        String name = context.plan().graph() + "/" + copy.name() + " " + copy.info.index();
        try {
            threads.start(name, () -> copy.live(own, name));
        } catch (Throwable t) { // an OutOfMemoryError, where the system allows no more threads
            life.fail(copy.info, "start", null, t);
            copy.abandon();
        }
    }

    // ---- items

    /** See {@code FlowRun.send}. */
    public void send(Object item) {
        requireNoComparator();
        sending.send(item);
    }

    /** See {@code FlowRun.sendAll}. */
    public void sendAll(Object[] items) {
        requireNoComparator();
        sending.sendAll(items);
    }

    /** Returns the ends for a publisher and a subscriber. */
    public ReactiveEnds reactive() {
        requireNoComparator();
        return reactive;
    }

    /** No more items come from outside. */
    public void finish() {
        requireNoComparator();
        try {
            WakeList.fire(parts.input().finish(), null, workers);
            outputFed();
        } catch (Error e) {
            life.broken.by = e;
            life.endBroken();
            throw e;
        }
    }

    /** Records that no item comes to the output from outside any more. */
    private void outputFed() {
        if (feedsOutput.compareAndSet(true, false)) {
            life.copyDone();
        }
    }

    /** Returns the results, as they come. */
    public Iterator<Object> results() {
        return results;
    }

    /** See {@code FlowRun.poll}; waits for {@code nanos} at most, for 0 not at all. */
    public @Nullable Object poll(long nanos) {
        return results.poll(nanos);
    }

    // ---- buffers

    /**
     * Takes a buffer for code outside of the graph.
     *
     * @param size the number of bytes, or the layout; null of an edge that does not count bytes
     */
    public Handle<Object> take(MemoryEdge<?> edge, ReleaseRule rule, @Nullable Object size) {
        requireNoComparator();
        long bytes = Takes.bytesOf(edge, size);
        Pool pool = context.pool(context.plan().edges().get(edge), edge);
        pool.requireFitting(bytes, OUTSIDE);
        WakeList wakes = new WakeList();
        try {
            context.ledger().await(new Waiter(pool, bytes, OUTSIDE, true, 0), workers, wakes);
            Lease lease = new Lease(context.loans(), pool, OUTSIDE, rule, 0, false);
            return context.loans()
                    .lend(
                            lease.of(
                                    bytes,
                                    size instanceof Layout layout ? layout : null,
                                    context.loans().now()),
                            null,
                            wakes);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException("a buffer of memory edge \"" + pool.name + '"', e);
        } finally {
            settle(wakes);
        }
    }

    /** See {@code FlowRun.release}. */
    public void release(Handle<?> buffer) {
        requireNoComparator();
        WakeList wakes = new WakeList();
        try {
            context.loans().release(buffer, wakes);
        } finally {
            settle(wakes);
        }
    }

    private void settle(WakeList wakes) {
        try {
            life.settle(wakes);
        } catch (Error e) {
            life.broken.by = e;
            life.endBroken();
            throw e;
        }
    }

    // ---- the end

    /** Stops the run unless it is done; returns at once. */
    public void cancel() {
        requireNoComparator();
        try {
            life.cancel();
        } catch (Error e) {
            life.broken.by = e;
            life.endBroken();
            throw e;
        }
    }

    @Override
    public void stop() {
        context.ledger().stop();
        context.submissions().cancel();
        Wakeable woken = null;
        for (Stage stage : parts.stages()) {
            woken = stage.stop(woken);
        }
        WakeList.fire(woken, null, workers);
        for (TaskInstance copy : parts.copies()) {
            copy.interrupt();
        }
        outputFed();
        context.signal().send();
    }

    @Override
    public void ended() {
        context.ledger().end();
        parts.courier().end();
        parts.copies().forEach(TaskInstance::end);
        context.signal().send();
    }

    /** See {@code FlowRun.await}. */
    public FlowReport await() {
        requireNoComparator();
        life.awaitItems(life::completed);
        life.requireNotStopped();
        return report();
    }

    @Override
    public boolean isInside() {
        return workers.isInsideNode() || parts.copies().stream().anyMatch(TaskInstance::isCurrentThread);
    }

    @Override
    public boolean isHeldUp() {
        return context.submissions().isHeldUp();
    }

    @Override
    public void requireNotHeldUp() {
        context.submissions().requireNotHeldUp();
    }

    /** See {@code FlowRun.close}. */
    public void close() {
        boolean _ = closeFirst();
    }

    private boolean closeFirst() {
        requireNoComparator();
        if (isInside()) {
            throw new IllegalStateException(
                    "flow \"" + context.plan().graph() + "\" is closed inside a task, which would wait for "
                            + "itself: cancel() it there, and close it where it was started");
        }
        return end.close(standing);
    }

    // ---- state

    /**
     * Throws if the calling thread is in a comparator, a queue of the user's, or a function of sizes, the only user
     * code that runs under locks: the locks of the run's methods come before these.
     */
    private void requireNoComparator() {
        for (Stage stage : ordered) {
            if (Thread.holdsLock(stage) || Thread.holdsLock(context.ledger())) {
                throw new IllegalStateException("flow \"" + context.plan().graph() + "\" is used by the "
                        + StageSetup.userCode(stage.setup.plan.options()) + " of its own task \""
                        + stage.setup.plan.name()
                        + "\", which is called under locks: use the run in a body or another thread");
            }
        }
    }

    RunContext context() {
        return context;
    }

    /** True if all copies have shut down. */
    public boolean completed() {
        return life.completed();
    }

    /** Returns how the items ended so far. */
    @Override
    public FlowReport report() {
        requireNoComparator();
        return parts.report(life.outcome());
    }

    /** Where the time went so far. */
    public FlowProfile profile() {
        requireNoComparator();
        return parts.profile(life.outcome(), life::elapsedNanos);
    }

    /** The figures and slots of a run that a dry run needs. */
    public static final class Dry {
        private Dry() {}

        /** Returns, per pool of the plan, the most buffers that were live at once, or slots that were taken. */
        public static int[] peaks(Run of) {
            BufferGrants ledger = of.parts.ledger();
            synchronized (ledger) {
                return ledger.pools().stream().mapToInt(pool -> pool.peak).toArray();
            }
        }

        /**
         * Returns the slots of bounded edges that the item of a body keeps after the body has returned, where two
         * stages stand for one task, as in a dry run: the first begins the item, the second emits. Called in the body.
         */
        public static @Nullable Object keepSlots(Emitter<?> out) {
            return ((Outlet) out).keepSlots();
        }

        /**
         * Calls {@code emits} in the second body with the slots that the item kept, and frees the slots that are left.
         */
        public static void useSlots(Emitter<?> out, @Nullable Object kept, Runnable emits) {
            ((Outlet) out).useSlots((Granted) kept, emits);
        }
    }
}
