package dev.jacquard.flow.runtime;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.task.Start;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One run of a graph, from start to close; untyped, see {@code dev.jacquard.flow.FlowRun} for what users hold. How it
 * stands, and what stopped it, is in {@link RunLife}.
 *
 * <p>Threads: every method may be called by any thread. Locks: that of the input is outside of the ledger's and the
 * stages' locks.
 */
public final class Run {
    private final Environment environment;
    private final Workers workers;
    private final RunPlan plan;
    private final RunLife life;
    private final Submissions submissions;
    private final Lending lending;
    private final BufferGrants ledger;
    private final RunParts parts;
    /** Copies that have not shut down, and the start itself. */
    private final AtomicInteger active;

    private final long startNanos;
    /** Filled by the thread that starts the run, before any other sees it. */
    private final List<Thread> threads = new ArrayList<>();

    private final Standing standing;
    private final Courier courier;
    /** Set before the run is complete, read after it. */
    private long endNanos;

    private final AtomicBoolean closed = new AtomicBoolean();

    private Run(Environment environment, RunPlan plan) {
        this.environment = environment;
        this.workers = environment.workers();
        this.plan = plan;
        this.life = new RunLife(this, plan.graph());
        this.submissions = new Submissions(plan.graph(), environment);
        this.lending = new Lending(this, environment);
        this.ledger = new BufferGrants(workers.trace()::nanoTime, workers::signal, lending);
        this.parts = new Assembly(this, plan, ledger, new OutputQueue(workers::signal)).build();
        this.active = new AtomicInteger(parts.copies().size() + 1);
        this.courier = new Courier(this, parts.copies());
        this.standing = new Standing(this, parts);
        this.startNanos = workers.trace().nanoTime();
    }

    /**
     * Starts a run: allocates the static buffers and makes every copy ready.
     *
     * @throws FlowFailedException when an allocator throws; nothing has started then
     */
    public static Run start(Environment environment, RunPlan plan) {
        Run run = new Run(environment, plan);
        try {
            environment.add(run.standing);
        } catch (RuntimeException e) {
            run.ledger.freeAll().forEach(e::addSuppressed);
            throw e;
        }
        run.launch();
        return run;
    }

    private void launch() {
        TaskInstance woken = null;
        for (Stage stage : parts.stages()) {
            if (stage.plan().options().is(StagePlan.Trait.START)) {
                woken = stage.append(signal(stage), 1, woken);
            }
        }
        assert woken == null : "no copy sleeps before the start";
        for (TaskInstance copy : parts.copies()) {
            DedicatedThread own = copy.own();
            if (own != null) {
                launch(copy, own);
            }
        }
        for (TaskInstance copy : parts.copies()) { // a worker runs its newest first: consumers sleep before items come
            if (!copy.dedicated()) {
                workers.ready(copy);
            }
        }
        copyDone();
    }

    /** Starts the thread of a copy. Where there can be none, the run fails, and the copy ends at once. */
    private void launch(TaskInstance copy, DedicatedThread own) {
        String name = plan.graph() + "/" + copy.name() + " " + copy.info().index();
        try {
            threads.add(
                    workers.dedicated(name, () -> copy.live(own, workers.trace().lane(name))));
        } catch (Throwable t) { // an OutOfMemoryError, where the system allows no more threads
            life.fail(copy, "start", null, t);
            copy.abandon();
        }
    }

    /** The item that tells a start task to go on. */
    @Nullable
    Object[] signal(Stage stage) {
        return new Feed(new ItemSink[] {stage}, ledger).arrive(new Object[] {Start.SIGNAL}, null, 1);
    }

    // ---- items

    /** See {@code FlowRun.sendAll}. */
    public void send(Object[] items) {
        Input input = parts.input();
        for (int at = 0; at < items.length; ) {
            int room = input.room();
            if (room <= 0) {
                life.await(() -> input.room() > 0 || life.stopping());
                room = input.room();
            }
            int count = Math.clamp(room, 1, items.length - at);
            life.requireNotStopped();
            Object[] some = count == items.length ? items : Arrays.copyOfRange(items, at, at + count);
            WakeList.fire(input.send(some, count), null, workers);
            life.settle();
            at += count;
        }
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

    /** A stage took items: a sender may go on. */
    void taken() {
        if (plan.inputBound() > 0) {
            workers.signal();
        }
    }

    // ---- buffers

    /** See {@code FlowRun.take}. */
    public Handle<Object> take(MemoryEdge<?> edge, ReleaseRule rule) {
        return lending.take(pool(plan.edges().get(edge), edge), rule);
    }

    /** See {@code FlowRun.release}. */
    public void release(Handle<?> buffer) {
        lending.release(buffer);
    }

    Pool pool(@Nullable Integer number, MemoryEdge<?> edge) {
        if (number == null) {
            throw new IllegalArgumentException("memory edge \"" + edge.name() + "\" is not part of flow \""
                    + plan.graph() + "\": take from an edge that the same graph made");
        }
        return ledger.pools().get(number);
    }

    // ---- the end

    /** Stops the run unless it is done; returns at once. */
    public void cancel() {
        life.cancel();
    }

    /** The run is cancelled, or has failed: wakes all that sleeps or waits. Called once, without locks. */
    void stop() {
        ledger.stop();
        submissions.cancel();
        TaskInstance woken = null;
        for (Stage stage : parts.stages()) {
            woken = stage.stop(woken);
        }
        WakeList.fire(woken, null, workers);
        for (TaskInstance copy : parts.copies()) {
            DedicatedThread own = copy.own();
            if (own != null) {
                own.interrupt();
            }
        }
        workers.signal();
    }

    void copyDone() {
        if (active.decrementAndGet() == 0) {
            endNanos = workers.trace().nanoTime();
            life.complete();
            ledger.end();
            workers.signal();
        }
    }

    /** See {@code FlowRun.await}. */
    public FlowReport await() {
        life.await(life::completed);
        life.requireNotStopped();
        return report();
    }

    /** True if the calling thread runs a part of the run, or another node, and would wait for itself. */
    boolean isInside() {
        return workers.isInsideNode() || parts.copies().stream().anyMatch(TaskInstance::isCurrentThread);
    }

    /** See {@code FlowRun.close}. */
    public void close() {
        if (isInside()) {
            throw new IllegalStateException(
                    "flow \"" + plan.graph() + "\" is closed inside a task, which would wait for "
                            + "itself: cancel() it there, and close it where it was started");
        }
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        cancel();
        boolean interrupted = awaitQuietly();
        try {
            submissions.end();
            freeBuffers();
        } finally {
            environment.remove(standing);
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
        List<String> leaked = ledger.outstanding();
        RuntimeException problem = life.isTold() ? null : life.failure();
        if (problem == null && !leaked.isEmpty() && life.outcome() == Outcome.DONE) {
            problem = new IllegalStateException("flow \"" + plan.graph() + "\" is done, and these buffers were never "
                    + "released: " + String.join(", ", leaked));
        }
        for (Throwable failed : ledger.freeAll()) {
            if (problem == null) {
                problem = new IllegalStateException("flow \"" + plan.graph() + "\": freeing a buffer failed", failed);
            } else {
                problem.addSuppressed(failed);
            }
        }
        if (problem != null) {
            throw problem;
        }
    }

    // ---- state

    RunLife life() {
        return life;
    }

    Submissions submissions() {
        return submissions;
    }

    BufferGrants ledger() {
        return ledger;
    }

    Courier courier() {
        return courier;
    }

    Workers workers() {
        return workers;
    }

    /** True if all copies have shut down. */
    public boolean completed() {
        return life.completed();
    }

    /** Returns how the items ended so far. */
    public FlowReport report() {
        return parts.report(life.outcome());
    }

    /** Where the time went so far. */
    public FlowProfile profile() {
        return parts.profile(life.outcome(), elapsedNanos());
    }

    long elapsedNanos() {
        return (life.completed() ? endNanos : workers.trace().nanoTime()) - startNanos;
    }
}
