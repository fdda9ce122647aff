package dev.jacquard.flow.runtime;

import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.core.graph.TaskGroup;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.CopyInfo;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.memory.data.Handle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a task: its body, and the activation that runs it.
 *
 * <pre>
 *  made ready or unparked --> initialize (once) --> terminated? --yes--> shutdown --> ended
 *        ^                                              | no
 *        |                                   take a batch, execute each, flush
 *        +--- AGAIN (own deque, or loop) <-- pause -----+
 *                                              | nothing to do
 *                                             IDLE until a producer, a buffer or an end wakes it
 * </pre>
 *
 * <p>The {@link BatchSizer} decides how many items an activation takes. There are two time stamps per batch, and one
 * per item while the trace is on.
 *
 * <p>Threads: except where a field says otherwise, all fields are confined to the activation, which is handed on
 * through the stage's lock. After {@link Stage#pause} returned IDLE, or after the copy made itself ready, another
 * thread may run the copy; so the list of copies to wake is detached before.
 */
final class TaskInstance extends Node {
    /** The next copy that must be woken: see {@link WakeList}. */
    @Nullable
    TaskInstance nextWoken;

    private final Run run;
    private final RunLife life;
    private final Stage stage;
    private final CopyInfo info;
    private final Body<Object, Object> body;
    private final Outlet[] outlets;
    private final WakeList wakes = new WakeList();
    private final Borrower borrower;
    private final DeferredItems deferred;
    private final ItemCounters tally;
    private final @Nullable Object[] batch;
    /** The thread of a dedicated copy; null for other copies. */
    private final @Nullable DedicatedThread own;

    private final BatchSizer pace;
    private final boolean traced;
    private final int traceName;

    /** The tickets of the batch; null if these are of no interest. */
    private final @Nullable Departures departures;

    /**
     * The ticket of the item that the body works on; 0 if it has none, so that emitted items count as items from
     * outside. In a start task, the last ticket that was given to an emitted item.
     */
    private long ticket;

    private final boolean start;

    private final long pollNanos;
    /**
     * True if the idle phase is due. Set by the timer that took the copy off the idle list, before the timer makes the
     * copy ready.
     */
    private boolean pollDue;
    /**
     * The time at which the copy last had an item. Written by its activation; read by the timer once the timer has
     * taken the copy off the idle list.
     */
    private long sleepsSince;

    private final AtomicBoolean pollArmed = new AtomicBoolean();

    private boolean initialized;
    private boolean active;
    /**
     * Odd while the copy works and holds back emitted items. Written by its activation, with a full fence before the
     * activation checks the {@link Courier}; read by the courier.
     */
    private volatile int batches;
    /** The value of {@link #batches} at the last look of the {@link Courier}. Confined to the courier. */
    private int seen;

    private long executed;
    private long pausedNanos;
    private @Nullable WorkerContext worker;

    TaskInstance(Run run, Stage stage, CopyInfo info, ItemSink[][] targets) {
        this.run = run;
        this.life = run.life();
        this.stage = stage;
        StagePlan plan = stage.plan();
        this.start = plan.options().is(StagePlan.Trait.START);
        this.own = plan.options().is(StagePlan.Trait.DEDICATED) ? new DedicatedThread(life::stopping) : null;
        this.info = info;
        this.deferred = new DeferredItems(this, plan.options().submitting().inFlight());
        this.borrower = new Borrower(run, plan, info);
        this.outlets = new Outlet[targets.length];
        for (int i = 0; i < targets.length; i++) {
            outlets[i] = new Outlet(this, i, targets[i]);
        }
        this.body = plan.bookkeeper()
                ? new RulesBody(plan.rules(), outlets, info.pipeline())
                : plan.bodies().get(info.index());
        this.tally = new ItemCounters(targets.length);
        boolean oneByOne = plan.options().is(StagePlan.Trait.ONE_BY_ONE)
                || plan.options().order() != null
                || plan.options().termination() != null
                || plan.options().is(StagePlan.Trait.ENDS_CYCLE)
                || info.device() != null // so that the other devices get items
                || (own != null && (plan.copies() > 1 || stage.doneFrom() != null));
        this.pace = new BatchSizer(oneByOne, own != null, run.workers().workers() == 1);
        this.batch = new @Nullable Object[pace.largest()];
        Place place = stage.doneFrom();
        this.departures = place == null ? null : new Departures(run.ledger(), place, batch.length);
        this.pollNanos = plan.options().pollNanos();
        this.traced = run.workers().trace().on();
        this.traceName = traced ? run.workers().trace().name(plan.name()) : 0;
    }

    // ---- the two ways to be run

    @Override
    public void run(WorkerContext context) {
        activate(context, context.lane());
    }

    /** Runs a dedicated copy to its end. */
    void live(DedicatedThread thread, TraceLane lane) {
        thread.bind();
        Step step = Step.AGAIN;
        while (step != Step.ENDED) {
            step = activate(null, lane);
            while (step == Step.IDLE && !thread.sleep(pollNanos)) {
                if (stage.leaveIdle(this)) { // otherwise the copy is about to be woken
                    poll();
                    step = Step.AGAIN;
                }
            }
        }
    }

    /**
     * Ends the copy without a phase of its body, since the run failed before the copy got its thread. Called instead of
     * {@link #live}.
     */
    void abandon() {
        activate(null, run.workers().trace().lane(info.task()));
    }

    private void poll() {
        active = true;
        try {
            interruptibly(() -> body.idle(outlets[0]));
        } catch (Throwable t) {
            failUnlessStopped("idle", t);
        }
        flush();
        active = false;
        WakeList.fire(wakes.detach(), null, run.workers());
    }

    /**
     * Sets a timer that wakes the sleeping copy, which has no thread of its own. There is one timer at a time; if the
     * copy has slept for less than the poll time when the timer fires, the copy sleeps again with another timer.
     */
    private void pollLater() {
        if (!pollArmed.compareAndSet(false, true)) {
            return;
        }
        run.workers().schedule(pollNanos, () -> {
            pollArmed.set(false); // first: a copy that falls asleep from here on sets its own timer
            if (stage.leaveIdle(this)) { // from here on the copy is the timer's, until it is made ready
                pollDue = run.workers().trace().nanoTime() - sleepsSince >= pollNanos;
                wakeFromOutside();
            }
        });
    }

    /** Makes the copy run again. The caller has taken the copy off the idle list. */
    void wake(@Nullable WorkerContext by, Workers workers) {
        if (own != null) {
            own.wake();
        } else if (by != null) {
            by.ready(this);
        } else {
            workers.ready(this);
        }
    }

    // ---- one activation

    private Step activate(@Nullable WorkerContext context, TraceLane lane) {
        worker = context;
        active = true;
        boolean holdsBack = own == null && pace.holdsBack();
        int batch = batches + 1;
        if (holdsBack) {
            batches = batch;
            run.courier().watch();
        }
        int asked = stage.changes(); // before closed(): see Stage.pause
        if (pollDue) {
            pollDue = false;
            poll();
            active = true;
        }
        finishDeferred();
        boolean begun = begin();
        boolean full = begun && deferred.room() <= 0;
        boolean goesOn = begun && !full && !terminated();
        boolean waits = full || (!goesOn && deferred.isOpen()); // shutdown follows its engine tasks
        if (waits) {
            flush();
            wakes.add(stage.passOn(tally));
        } else if (goesOn) {
            int count = take();
            wakeEagerly();
            if (count > 0) {
                if (stage.isFedFromOutside()) {
                    run.taken();
                }
                execute(count, lane);
            }
            flush();
        } else {
            shutdown();
        }
        active = false;
        worker = null;
        if (holdsBack) {
            batches = batch + 1;
        }
        if (goesOn && pace.lingers()) {
            stage.linger();
        }
        TaskInstance list = wakes.detach();
        Step step = waits
                ? deferred.park()
                : goesOn ? stage.pause(this, asked, tally, pollNanos > 0 || deferred.isOpen()) : Step.ENDED;
        if (step == Step.STUCK) {
            step = stuck();
        }
        if (step == Step.IDLE && pollNanos > 0 && own == null) {
            pollLater();
        }
        if (step == Step.AGAIN && context != null) {
            context.readyAtEnd(this); // before its consumers: they run next here, others may steal this copy
        }
        WakeList.fireAtEnd(list, context, run.workers());
        life.settle();
        if (step == Step.ENDED) {
            run.copyDone();
        }
        return step;
    }

    private int take() {
        return stage.take(batch, deferred.most(pace.limit()), wakes);
    }

    private boolean begin() {
        if (life.stopping()) {
            return false;
        }
        if (initialized) {
            return true;
        }
        try {
            interruptibly(() -> body.initialize(info));
            initialized = true;
            return true;
        } catch (Throwable t) {
            failUnlessStopped("initialize", t);
            return false;
        }
    }

    private boolean terminated() {
        boolean closed = stage.closed();
        try {
            Termination termination = stage.plan().options().termination();
            Cycle cycle = stage.cycle();
            boolean ended = body.canTerminate(closed)
                    || (termination != null
                            && termination.reached(
                                    new Termination.Progress(closed, cycle != null && cycle.drained(), executed)));
            if (!ended && closed && start) {
                wakes.add(stage.append(run.signal(stage), 1, null));
            }
            return ended;
        } catch (Throwable t) {
            life.fail(this, "canTerminate", null, t);
            return true;
        }
    }

    private void execute(int count, TraceLane lane) {
        long start = run.workers().trace().nanoTime();
        tally.waitNanos += pausedNanos == 0 ? 0 : start - pausedNanos;
        if (departures != null) {
            departures.begin(batch, count);
        }
        int done = own == null ? executeAll(count, lane, start) : executeInterruptibly(own, count, lane, start);
        for (int i = done; i < count; i++) {
            batch[i] = null;
        }
        executed += done;
        int later = deferred.counted();
        tally.executed += done - later;
        flush();
        if (departures != null) {
            departures.end(count, wakes);
        }
        Cycle cycle = stage.cycle();
        if (cycle != null) {
            wakes.add(
                    cycle.give(count - later, null)); // after the flush: emitted items have tokens of their own by now
        }
        long end = run.workers().trace().nanoTime();
        tally.computeNanos += end - start;
        pausedNanos = end;
        sleepsSince = end;
        pace.after(count, end - start);
    }

    /** Executes a batch that a stop of the run interrupts; returns the number of executed items. */
    private int executeInterruptibly(DedicatedThread thread, int count, TraceLane lane, long start) {
        int[] done = {0};
        try {
            thread.run(() -> done[0] = executeAll(count, lane, start));
        } catch (Exception e) { // the run stops, and no item was begun
            tally.cancelled += count;
        }
        return done[0];
    }

    /** Executes items until one fails or the run stops; returns the number of items that the body returned from. */
    private int executeAll(int count, TraceLane lane, long start) {
        int at = 0;
        Object item = null;
        try {
            long from = start;
            for (; at < count && !life.stopping(); at++) {
                item = batch[at];
                batch[at] = null;
                assert item != null;
                boolean waits = executeOne(item);
                if (departures != null) {
                    departures.done(at, waits);
                }
                if (traced) {
                    long to = run.workers().trace().nanoTime();
                    lane.record(traceName, from, to, executed + at);
                    from = to;
                }
            }
            tally.cancelled += count - at;
        } catch (Throwable t) {
            if (isOfStop(t)) {
                tally.cancelled += count - at;
            } else {
                tally.failed++;
                tally.cancelled += count - at - 1;
                life.fail(this, "execute", item == null ? null : Numbered.itemOf(item), t);
            }
        }
        return at;
    }

    /** Executes one item; returns true if the item has to wait for engine tasks. */
    private boolean executeOne(Object queued) throws Exception {
        if (queued instanceof Granted withBuffers) {
            borrower.begin(withBuffers);
            try {
                return call(withBuffers.item, withBuffers.ticket());
            } finally {
                borrower.end(wakes);
            }
        }
        return queued instanceof Numbered numbered ? call(numbered.item, numbered.ticket()) : call(queued, 0);
    }

    private boolean call(Object item, long its) throws Exception {
        boolean well = false;
        boolean waits = false;
        ticket = its;
        deferred.begin(item, its);
        try {
            body.execute(item, outlets[0]);
            well = true;
        } finally {
            ticket = 0;
            waits = deferred.end(well);
            if (waits && well) {
                deferred.add();
            }
        }
        return waits;
    }

    /** Continues with the items whose engine tasks are over. */
    private void finishDeferred() {
        DeferredItems.Deferred one = deferred.next();
        if (one == null) {
            return;
        }
        long start = run.workers().trace().nanoTime();
        for (; one != null; one = deferred.next()) {
            if (!one.abandoned && !finish(one)) {
                flush();
                Place place = stage.doneFrom();
                if (place != null && one.ticket != 0) {
                    run.ledger().leave(place, new long[] {one.ticket}, 1, wakes);
                }
                Cycle cycle = stage.cycle();
                if (cycle != null) {
                    wakes.add(cycle.give(1, null));
                }
            }
        }
        tally.computeNanos += run.workers().trace().nanoTime() - start;
        wakeEagerly();
    }

    /** Runs the continuations of an item; returns true if the item waits for further engine tasks. */
    private boolean finish(DeferredItems.Deferred one) {
        RuntimeException failure = one.tasks.failure();
        if (failure == null && life.stopping()) {
            tally.cancelled++;
            return false;
        }
        boolean again = false;
        try {
            if (failure != null) {
                throw failure;
            }
            boolean well = false;
            deferred.begin(one.item, one.ticket);
            ticket = one.ticket;
            try {
                for (DedicatedThread.Phase then : one.then) {
                    interruptibly(then);
                }
                well = true;
            } finally {
                ticket = 0;
                again = deferred.end(well);
            }
            tally.executed += again ? 0 : 1;
        } catch (Throwable t) {
            if (isOfStop(t)) {
                tally.cancelled++;
            } else {
                tally.failed++;
                life.fail(this, "execute", one.item, t);
            }
            return false;
        }
        return again;
    }

    private void shutdown() {
        if (initialized) {
            try {
                body.shutdown(outlets[0]);
            } catch (Throwable t) {
                life.fail(this, "shutdown", null, t);
            }
        }
        flush();
        wakes.add(stage.copyDone(tally, wakes));
        for (Outlet outlet : outlets) {
            outlet.close(stage.cycle());
        }
    }

    private Step stuck() {
        life.fail(
                this,
                "canTerminate",
                null,
                new IllegalStateException(
                        "its input is closed and it says that it is not done, so that nothing can wake "
                                + "it: let canTerminate(true) answer true"));
        return Step.AGAIN;
    }

    private void interruptibly(DedicatedThread.Phase phase) throws Exception {
        if (own == null) {
            phase.run();
        } else {
            own.run(phase);
        }
    }

    private void failUnlessStopped(String phase, Throwable problem) {
        if (!isOfStop(problem)) {
            life.fail(this, phase, null, problem);
        }
    }

    /** Returns true if user code gave up only because the run stops. */
    private boolean isOfStop(Throwable problem) {
        return life.stopping() && (problem instanceof InterruptedException || problem instanceof CancellationException);
    }

    private void flush() {
        for (Outlet outlet : outlets) {
            outlet.flush();
        }
    }

    // ---- for the courier

    /** Returns true if the copy works on a batch and holds back emitted items. Called by any thread. */
    boolean isInBatch() {
        return (batches & 1) != 0;
    }

    /**
     * Passes on the items that the copy holds back, if the copy has been in the same batch since the last call. Returns
     * true if so.
     */
    boolean passOnIfLate() {
        int now = batches;
        boolean late = now == seen && (now & 1) != 0;
        seen = now;
        if (!late) {
            return false;
        }
        try {
            WakeList woken = new WakeList();
            if (departures != null) {
                departures.passOn(outlets, woken);
            } else {
                for (Outlet outlet : outlets) {
                    outlet.passOn(woken);
                }
            }
            WakeList.fire(woken.detach(), null, run.workers());
            WakeList.fire(wakes.detach(), null, run.workers());
        } catch (Throwable t) {
            life.fail(this, "emit", null, t);
        }
        life.settle();
        return true;
    }

    // ---- for the outlets

    @Override
    public String name() {
        return info.task();
    }

    /** Returns the name of the copy in drawings of a trace. */
    @Override
    public String toString() {
        return info.task() + (stage.plan().copies() > 1 ? ", copy " + info.index() : "");
    }

    boolean dedicated() {
        return own != null;
    }

    @Nullable
    DedicatedThread own() {
        return own;
    }

    CopyInfo info() {
        return info;
    }

    DeferredItems deferred() {
        return deferred;
    }

    /** Returns true if the calling thread is this copy's own. */
    boolean isCurrentThread() {
        return own != null && own.isCurrent();
    }

    boolean isOf(Stage its) {
        return stage == its;
    }

    /**
     * Returns true if user code runs in this copy's own thread, and does not wait for a buffer. Copies without a thread
     * return false: the engine's workers answer for them.
     */
    boolean isAtWork() {
        return own != null && own.isAtWork() && !borrower.isWaiting();
    }

    /** Returns true if {@link #isAtWork}, and the thread is not blocked. */
    boolean isMoving() {
        return own != null && own.isMoving() && !borrower.isWaiting();
    }

    /** Returns true if the body waits for a buffer that its task did not declare. */
    boolean isWaiting() {
        return borrower.isWaiting();
    }

    /** Creates a group for the engine tasks of one item. */
    TaskGroup newGroup() {
        if (stage.plan().bookkeeper()) {
            throw new IllegalStateException("a rule of bookkeeper \"" + name()
                    + "\" submits tasks: it is called under a lock and must be quick, "
                    + "so let it emit to a task that does");
        }
        return run.submissions().group(info.device(), stage.busy());
    }

    /** Tells a copy that is not parked that the engine tasks of an item are over. Called by any thread. */
    void nudge() {
        if (stage.nudge(this)) {
            wakeFromOutside();
        }
    }

    /** Wakes the copy. The caller, on any thread, is the only one that may wake it. */
    void wakeFromOutside() {
        wake(null, run.workers());
    }

    ItemCounters tally() {
        return tally;
    }

    WakeList wakes() {
        return wakes;
    }

    BufferGrants ledger() {
        return run.ledger();
    }

    boolean stopping() {
        return life.stopping();
    }

    BatchSizer pace() {
        return pace;
    }

    /** Wakes the collected copies at once, if the batch sizer says so. */
    void wakeEagerly() {
        if (pace.wakesEagerly()) {
            WakeList.fire(wakes.detach(), worker, run.workers());
        }
    }

    /**
     * Returns the ticket of the item that the body emits now. The signal of a start task that takes buffers has a
     * ticket, and the items that the task emits may hold these buffers. So they come before all items that came from
     * outside since, each before the next.
     */
    long ticketToEmit() {
        if (start && ticket != 0) {
            ticket = Numbered.below(ticket);
        }
        return ticket;
    }

    void checkActive() {
        if (!active) {
            throw new IllegalStateException("task \"" + name() + "\" used its emitter outside of a phase: "
                    + "an emitter is for use during the call that it was passed to");
        }
    }

    Handle<Object> take(MemoryEdge<?> edge, ReleaseRule rule) {
        return borrower.take(edge, rule, ticket, wakes, this::passOn);
    }

    /** Passes on items and wake-ups before this thread waits: another thread may wait for them. */
    private void passOn() {
        flush();
        WakeList.fire(wakes.detach(), null, run.workers());
    }
}
