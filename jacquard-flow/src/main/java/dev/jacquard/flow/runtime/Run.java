package dev.jacquard.flow.runtime;

import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.task.Start;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a graph, from start to close; untyped, see {@code dev.jacquard.flow.FlowRun} for what users hold.
 *
 * <pre>
 *  RUNNING --last copy has shut down--> DONE
 *     |-----a phase threw-------------> FAILED    -- all copies shut down --> completed --close--> buffers freed
 *     +-----cancel, or closed early---> CANCELLED --/
 * </pre>
 *
 * <p>Threads: every method may be called by any thread. Locks: {@link #input} is outside of the ledger's and the
 * stages' locks; this run's own lock guards the outcome and is held alone.
 */
public final class Run {
    private static final String OUTSIDE = "code outside of the graph";

    private final Environment environment;
    private final Workers workers;
    private final RunPlan plan;
    private final Submissions submissions;
    private final BufferGrants ledger;
    private final OutputQueue output;
    private final List<Stage> stages;
    private final List<TaskInstance> copies;
    private final AtomicInteger activeCopies;
    private final long startNanos;
    /** Filled by the thread that starts the run, before anybody else sees it. */
    private final List<Thread> threads = new ArrayList<>();

    private final Input input;
    private final Standing standing;
    private final Courier courier;
    /** Set by threads that hold locks, taken by the same ones once they hold none. */
    private final AtomicReference<@Nullable Fault> fault = new AtomicReference<>();
    /** Set once. Volatile, as each copy reads it per item without a lock. */
    private volatile boolean stopping;
    /** Set once, after all copies shut down: volatile, as who waits reads it without a lock. */
    private volatile boolean completed;

    /** Set before {@link #completed}, read after it. */
    private long endNanos;
    /** Guarded by this. */
    private Outcome outcome = Outcome.RUNNING;
    /** Guarded by this. */
    private @Nullable Failure failure;
    /** Guarded by this: whether somebody was told of the failure. */
    private boolean told;
    /** Guarded by this. */
    private boolean closed;

    private Run(Environment environment, RunPlan plan) {
        this.environment = environment;
        this.workers = environment.workers();
        this.plan = plan;
        this.submissions = new Submissions(plan.graph(), environment);
        this.ledger = new BufferGrants(workers.trace()::nanoTime, workers::signal, new Lending());
        this.output = new OutputQueue(workers::signal);
        Assembly assembly = new Assembly(this, plan, ledger, output);
        assembly.build();
        this.stages = List.copyOf(assembly.stages());
        this.copies = List.copyOf(assembly.copies());
        this.activeCopies = new AtomicInteger(copies.size());
        this.courier = new Courier(this, copies);
        this.input = new Input(assembly.inputs().toArray(ItemSink[]::new), plan.inputBound(), ledger);
        this.standing = new Standing(this, stages, copies, input, ledger);
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
            run.open();
        } catch (RuntimeException e) {
            run.ledger.freeAll().forEach(e::addSuppressed);
            throw e;
        }
        run.launch();
        return run;
    }

    /** Makes the run known to its session. */
    private void open() {
        environment.add(standing);
    }

    private void launch() {
        TaskInstance woken = null;
        for (Stage stage : stages) {
            if (stage.plan().options().start()) {
                woken = stage.append(signal(stage), 1, woken);
            }
        }
        assert woken == null : "no copy sleeps before the start";
        for (TaskInstance copy : copies) {
            DedicatedThread own = copy.own();
            if (own != null) {
                launch(copy, own);
            }
        }
        for (TaskInstance copy : copies) { // a worker runs its newest first: consumers are asleep before items come
            if (!copy.dedicated()) {
                workers.ready(copy);
            }
        }
        if (copies.isEmpty()) {
            complete();
        }
    }

    /** Starts the thread of a copy. Where there can be none, the run fails, and the copy ends at once. */
    private void launch(TaskInstance copy, DedicatedThread own) {
        String name = plan.graph() + "/" + copy.name() + " " + copy.info().index();
        try {
            threads.add(workers.dedicated(name, () -> copy.live(own, trace().lane(name))));
        } catch (Throwable t) { // an OutOfMemoryError, where the system allows no more threads
            fail(copy, "start", null, t);
            copy.abandon();
        }
    }

    /** The item that tells a start task to go on. */
    @Nullable
    Object[] signal(Stage stage) {
        return new Feed(new ItemSink[] {stage}, ledger).arrive(new Object[] {Start.SIGNAL}, null, 1);
    }

    // ---- items

    /** See {@code Flow.send}. */
    public void send(Object item) {
        awaitRoom();
        send(new Object[] {item}, 1);
    }

    /** See {@code Flow.sendAll}. */
    public void sendAll(Object[] items) {
        for (int at = 0; at < items.length; ) {
            int count = Math.min(items.length - at, awaitRoom());
            send(at == 0 && count == items.length ? items : Arrays.copyOfRange(items, at, at + count), count);
            at += count;
        }
    }

    private void send(Object[] items, int count) {
        checkNotStopped();
        WakeList.fire(input.send(items, count), null, workers);
        settle();
    }

    /** Waits until the input has room, or the run stops; answers for how many items, at least 1. */
    private int awaitRoom() {
        int room = input.room();
        if (room <= 0) {
            waitFor(() -> input.room() > 0 || stopping);
            room = input.room();
        }
        return Math.max(room, 1);
    }

    /** No more items come from outside. */
    public void finish() {
        WakeList.fire(input.finish(), null, workers);
    }

    /**
     * Moves finished items to {@code into}; waits for at least one. 0: the run is done and there is none left.
     *
     * @throws FlowFailedException when the run failed
     * @throws CancellationException when it was cancelled, or this thread was interrupted
     */
    public int fetch(Object[] into) {
        checkNotStopped();
        int[] count = {output.fetch(into)};
        if (count[0] == 0) {
            waitFor(() -> {
                boolean last = completed; // before the look: nothing comes after it
                if (count[0] == 0 && !stopping) {
                    count[0] = output.fetch(into);
                }
                return count[0] > 0 || last || stopping;
            });
        }
        if (count[0] == 0) {
            checkNotStopped();
        }
        return count[0];
    }

    /** A stage took items: a sender may go on. */
    void taken() {
        if (plan.inputBound() > 0) {
            workers.signal();
        }
    }

    // ---- buffers, for code outside of the graph

    /** See {@code Flow.take}. */
    public Handle<Object> take(MemoryEdge<?> edge, ReleaseRule rule) throws InterruptedException {
        Pool pool = pool(plan.edges().get(edge), edge);
        WakeList wakes = new WakeList();
        try {
            ledger.await(new Waiter(pool, OUTSIDE, true, 0), workers, wakes);
            return ledger.lend(pool, OUTSIDE, rule, false, wakes);
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(
                    "allocating a buffer of memory edge \"" + edge.name() + "\" failed: " + e, e);
        } finally {
            WakeList.fire(wakes.detach(), null, workers);
            settle();
        }
    }

    /** See {@code Flow.release}. */
    public void release(Handle<?> buffer) {
        requireBuffer(buffer);
        WakeList wakes = new WakeList();
        try {
            ledger.release(buffer, wakes);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("freeing buffer \"" + buffer.name() + "\" failed: " + e, e);
        } finally {
            WakeList.fire(wakes.detach(), null, workers);
            settle();
        }
    }

    @SuppressWarnings("ConstantValue") // users may not check for nulls
    static void requireBuffer(Handle<?> buffer) {
        if (buffer == null) {
            throw new NullPointerException("null was released: release the handle that take() answered");
        }
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
        stop(Outcome.CANCELLED, null);
    }

    void fail(TaskInstance copy, String phase, @Nullable Object item, Throwable cause) {
        stop(Outcome.FAILED, new Failure(copy.info().task(), copy.info().index(), phase, text(item), cause));
    }

    /** See {@link Faults}: the first is kept for {@link #settle}. */
    void raise(String task, String phase, Object item, Throwable cause) {
        fault.compareAndSet(null, new Fault(task, phase, item, cause));
    }

    /**
     * Fails the run if user code threw while a lock was held. Called without locks, by every thread that appends or
     * takes items.
     */
    void settle() {
        Fault problem = fault.get();
        if (problem != null && fault.compareAndSet(problem, null)) {
            stop(
                    Outcome.FAILED,
                    new Failure(problem.task(), -1, problem.phase(), text(problem.item()), problem.cause()));
        }
    }

    /** The item as text; its toString is the user's, and may throw anything. */
    private static @Nullable String text(@Nullable Object item) {
        try {
            return item == null ? null : item.toString();
        } catch (Throwable t) {
            return item.getClass().getName() + " (its toString failed with "
                    + t.getClass().getName() + ")";
        }
    }

    private void stop(Outcome how, @Nullable Failure why) {
        synchronized (this) {
            if (outcome != Outcome.RUNNING) {
                if (failure != null && why != null && why.cause() != failure.cause()) {
                    failure.cause().addSuppressed(why.cause());
                }
                return;
            }
            outcome = how;
            failure = why;
            stopping = true;
        }
        ledger.stop();
        submissions.cancel();
        TaskInstance woken = null;
        for (Stage stage : stages) {
            woken = stage.stop(woken);
        }
        WakeList.fire(woken, null, workers);
        for (TaskInstance copy : copies) {
            DedicatedThread own = copy.own();
            if (own != null) {
                own.interrupt();
            }
        }
        workers.signal();
    }

    void copyDone() {
        if (activeCopies.decrementAndGet() == 0) {
            complete();
        }
    }

    private void complete() {
        synchronized (this) {
            if (outcome == Outcome.RUNNING) {
                outcome = Outcome.DONE;
            }
        }
        endNanos = workers.trace().nanoTime();
        completed = true;
        ledger.end();
        workers.signal();
    }

    /** See {@code Flow.await}. */
    public FlowReport await() throws InterruptedException {
        try {
            workers.awaitUntil(() -> completed);
        } catch (InterruptedException e) {
            cancel();
            throw e;
        }
        checkNotStopped();
        return report();
    }

    /** See {@code Flow.close}. */
    public void close() {
        if (workers.isInsideNode() || copies.stream().anyMatch(TaskInstance::isCurrentThread)) {
            throw new IllegalStateException(
                    "flow \"" + plan.graph() + "\" is closed inside a task, which would wait for "
                            + "itself: cancel() it there, and close it where it was started");
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
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
                workers.awaitUntil(() -> completed);
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
        RuntimeException problem = untold();
        if (problem == null && !leaked.isEmpty() && outcome() == Outcome.DONE) {
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

    boolean stopping() {
        return stopping;
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

    Trace trace() {
        return workers.trace();
    }

    /** How the run stands. */
    public synchronized Outcome outcome() {
        return outcome;
    }

    /** Whether all copies have shut down. */
    public boolean completed() {
        return completed;
    }

    /** What became of the items so far. */
    public FlowReport report() {
        return new Snapshot(plan, stages, ledger, output, input).report(outcome());
    }

    /** Where the time went so far. */
    public FlowProfile profile() {
        return new Snapshot(plan, stages, ledger, output, input).profile(outcome(), elapsedNanos());
    }

    long elapsedNanos() {
        return (completed ? endNanos : workers.trace().nanoTime()) - startNanos;
    }

    private void waitFor(BooleanSupplier condition) {
        try {
            workers.awaitUntil(condition);
        } catch (InterruptedException e) {
            cancel();
            Thread.currentThread().interrupt();
            CancellationException cancelled =
                    new CancellationException("interrupted, so flow \"" + plan.graph() + "\" is cancelled");
            cancelled.initCause(e);
            throw cancelled;
        }
    }

    private void checkNotStopped() {
        if (!stopping) {
            return;
        }
        awaitShutdown();
        Failure why;
        synchronized (this) {
            why = failure;
            told = true;
        }
        if (why != null) {
            throw why.exception(plan.graph(), report());
        }
        throw new CancellationException("flow \"" + plan.graph() + "\" was cancelled\n" + report());
    }

    /**
     * Waits until all copies have shut down: items are counted as failed or cancelled meanwhile, and counts are told
     * behind that.
     */
    private void awaitShutdown() {
        if (workers.isInsideNode() || copies.stream().anyMatch(TaskInstance::isCurrentThread)) {
            return; // would wait for itself
        }
        try {
            workers.awaitUntil(() -> completed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable RuntimeException untold() {
        Failure why;
        synchronized (this) {
            why = told ? null : failure;
        }
        return why == null ? null : why.exception(plan.graph(), report());
    }

    /** This run, as the ledger sees it. */
    private final class Lending implements BufferGrants.Lender {
        @Override
        public Handle<Object> handle(String name, Object value, Lease of) {
            return environment.lend(name, value, of);
        }

        @Override
        public boolean mayBeInUse(Lease loan) {
            return loan.isDeclared() && !(loan.value instanceof Data); // data is recycled behind those who use it
        }

        @Override
        public void behind(Handle<?> lent, Runnable then) {
            submissions.behind(lent, then);
        }

        @Override
        public void returned(Lease loan, WakeList wakes, @Nullable Throwable problem) {
            if (problem != null) {
                raise(loan.pool.name, "release", loan.name(), problem);
            }
            WakeList.fire(wakes.detach(), null, workers);
            settle();
        }
    }

    /** An exception that user code threw while a lock was held. */
    private record Fault(String task, String phase, Object item, Throwable cause) {}

    /** What stopped the run. */
    private record Failure(
            String task, int copy, String phase, @Nullable String item, Throwable cause) {
        FlowFailedException exception(String graph, FlowReport report) {
            return new FlowFailedException(graph, task, copy, phase, item, cause, report);
        }
    }
}
