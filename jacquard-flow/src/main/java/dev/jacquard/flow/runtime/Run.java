package dev.jacquard.flow.runtime;

import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One run of a graph, from start to close; untyped, see {@code dev.jacquard.flow.FlowRun} for what users hold. How it
 * stands, and what stopped it, is in {@link RunLife}.
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
    private final Standing standing;
    /** Filled by the thread that starts the run, before any other sees it. */
    private final List<Thread> threads = new ArrayList<>();

    private final AtomicBoolean closed = new AtomicBoolean();

    private Run(Workers workers, @Nullable Session session, RunPlan plan) {
        this.workers = workers;
        this.life = new RunLife(this, workers, plan.graph());
        Submissions submissions = new Submissions(plan.graph(), session, life);
        BufferGrants ledger = new BufferGrants(workers.trace()::nanoTime, workers::signal);
        Loans loans = new Loans(ledger, submissions);
        this.context = new RunContext(plan, workers, life, submissions, ledger, loans);
        this.parts = new Assembly(context, new OutputQueue(workers::signal)).build();
        this.standing = new Standing(parts, context, this::close);
        life.begin(parts.copies().size());
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

    /** Starts a run on workers alone, for flows that submit no tasks and whose memory edges lend no data. */
    public static Run start(Workers workers, RunPlan plan) {
        return start(workers, null, plan);
    }

    private static Run start(Workers workers, @Nullable Session session, RunPlan plan) {
        Run run = new Run(workers, session, plan);
        try {
            run.context.submissions().add(run.standing);
        } catch (RuntimeException e) {
            run.context.loans().freeAll().forEach(e::addSuppressed);
            throw e;
        }
        run.launch();
        return run;
    }

    private void launch() {
        Wakeable woken = null;
        for (Stage stage : parts.stages()) {
            if (stage.setup.plan.options().is(StagePlan.Trait.START)) {
                woken = stage.append(context.ledger().signal(stage.here()), 1, woken);
            }
        }
        assert woken == null : "no copy sleeps before the start";
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
            threads.add(
                    workers.dedicated(name, () -> copy.live(own, workers.trace().lane(name))));
        } catch (Throwable t) { // an OutOfMemoryError, where the system allows no more threads
            life.fail(copy.info, "start", null, t);
            copy.abandon();
        }
    }

    // ---- items

    /** See {@code FlowRun.send}. */
    public void send(Object item) {
        awaitRoom();
        send(new Object[] {item}, 1);
    }

    /** See {@code FlowRun.sendAll}. */
    public void sendAll(Object[] items) {
        for (int at = 0; at < items.length; ) {
            int count = Math.min(awaitRoom(), items.length - at);
            send(count == items.length ? items : Arrays.copyOfRange(items, at, at + count), count);
            at += count;
        }
    }

    private void send(Object[] items, int count) {
        life.requireNotStopped();
        WakeList.fire(parts.input().send(items, count), null, workers);
        life.settle();
    }

    /** Waits until the input has room, or the run stops; returns the number of items that may be sent, at least 1. */
    private int awaitRoom() {
        Input input = parts.input();
        int room = input.room();
        if (room <= 0) {
            life.await(() -> input.room() > 0 || life.stopping());
            room = Math.max(input.room(), 1);
        }
        return room;
    }

    /** No more items come from outside. */
    public void finish() {
        WakeList.fire(parts.input().finish(), null, workers);
    }

    /**
     * Moves finished items to {@code into}; waits for at least one. 0: the run is done and there is none left.
     *
     * @throws FlowFailedException when the run failed
     * @throws CancellationException when it was cancelled
     */
    public int fetch(Object[] into) {
        life.requireNotStopped();
        OutputQueue output = parts.output();
        int count = output.fetch(into);
        if (count == 0) {
            life.await(() -> output.waiting() > 0 || life.completed() || life.stopping());
            life.requireNotStopped();
            count = output.fetch(into); // behind the wait: an interrupt loses none, and nothing comes after the end
        }
        return count;
    }

    // ---- buffers

    /** See {@code FlowRun.take}. */
    public Handle<Object> take(MemoryEdge<?> edge, ReleaseRule rule) {
        Pool pool = context.pool(context.plan().edges().get(edge), edge);
        WakeList wakes = new WakeList();
        try {
            context.ledger().await(new Waiter(pool, OUTSIDE, true, 0), workers, wakes);
            return context.loans().lend(pool, OUTSIDE, rule, false, wakes);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException("a buffer of memory edge \"" + pool.name + '"', e);
        } finally {
            life.settle(wakes);
        }
    }

    /** See {@code FlowRun.release}. */
    public void release(Handle<?> buffer) {
        WakeList wakes = new WakeList();
        try {
            context.loans().release(buffer, wakes);
        } finally {
            life.settle(wakes);
        }
    }

    // ---- the end

    /** Stops the run unless it is done; returns at once. */
    public void cancel() {
        life.cancel();
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
            if (copy.own != null) {
                copy.own.interrupt();
            }
        }
        workers.signal();
    }

    @Override
    public void ended() {
        context.ledger().end();
        parts.courier().end();
        parts.copies().forEach(TaskInstance::end);
    }

    /** See {@code FlowRun.await}. */
    public FlowReport await() {
        life.await(life::completed);
        life.requireNotStopped();
        return report();
    }

    @Override
    public boolean isInside() {
        return workers.isInsideNode() || parts.copies().stream().anyMatch(TaskInstance::isCurrentThread);
    }

    /** See {@code FlowRun.close}. */
    public void close() {
        if (isInside()) {
            throw new IllegalStateException(
                    "flow \"" + context.plan().graph() + "\" is closed inside a task, which would wait for "
                            + "itself: cancel() it there, and close it where it was started");
        }
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        cancel();
        boolean interrupted = awaitQuietly();
        try {
            context.submissions().end();
            freeBuffers();
        } finally {
            context.submissions().remove(standing);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean awaitQuietly() {
        boolean interrupted = Thread.interrupted();
        while (true) {
            try {
                workers.awaitUntil(life::completed);
                for (Thread thread : threads) {
                    thread.join();
                }
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private void freeBuffers() {
        List<String> leaked = context.loans().outstanding();
        RuntimeException problem = life.isTold() ? null : life.failure();
        if (problem == null && !leaked.isEmpty() && life.outcome() == Outcome.DONE) {
            problem = new IllegalStateException("flow \"" + context.plan().graph()
                    + "\" is done, and these buffers were never " + "released: " + String.join(", ", leaked));
        }
        for (Throwable failed : context.loans().freeAll()) {
            if (problem == null) {
                problem = new IllegalStateException(
                        "flow \"" + context.plan().graph() + "\": freeing a buffer failed", failed);
            } else {
                problem.addSuppressed(failed);
            }
        }
        if (problem != null) {
            throw problem;
        }
    }

    // ---- state

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
        return parts.report(life.outcome());
    }

    /** Where the time went so far. */
    public FlowProfile profile() {
        return parts.profile(life.outcome(), life.elapsedNanos());
    }
}
