package dev.jacquard.flow.runtime;

import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.task.Body.CopyInfo;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One copy of a task: its body, and the activation that runs it.
 *
 * <pre>
 *  made ready or unparked --> initialize (once) --> done? --END--> shutdown --> ended
 *        ^                                              | WORK
 *        |                                   take a batch, execute each, flush
 *        +--- AGAIN (own deque, or loop) &lt;-- pause -----+
 *                                              | nothing to do
 *                                             IDLE until a producer, a buffer or an end wakes it
 * </pre>
 *
 * <p>An activation that must WAIT, since too many items of the copy wait for engine tasks, or since the copy shuts down
 * after these tasks, takes nothing and sleeps until one of the items is over. The {@link BatchSizer} decides how many
 * items an activation takes. There are two time stamps per batch, more while the activation measures its locks (see
 * {@link CopyCounters}), and one per item while the trace is on.
 *
 * <p>Threads: except where a field says otherwise, all fields are confined to the activation, which is handed on
 * through the stage's lock. After {@link Stage#pause} returned IDLE, or after the copy made itself ready, another
 * thread may run the copy; so the list of copies to wake is detached before.
 */
final class TaskInstance extends EmittingCopy {
    private final Stage stage;
    private final Courier courier;
    private final Outlet[] outlets;
    private final Borrower borrower;
    private final DeferredItems deferred;
    private final BodyCalls body;
    private final HeldBack heldBack;
    private final @Nullable Object[] batch;
    /** The tickets of the batch; null if these are of no interest. */
    private final @Nullable Departures departures;

    private final long pollNanos;
    /** The timer of the idle phase; null if there is none, or the copy has its own thread. */
    private final @Nullable PollTimer timer;

    /** The course of one activation. */
    private enum Turn {
        /** The copy takes no item, and sleeps until engine tasks of an item are over. */
        WAIT,
        /** The copy takes items. */
        WORK,
        /** The copy shuts down. */
        END
    }

    TaskInstance(RunContext run, Courier courier, Stage stage, CopyInfo info, ItemSink[][] targets) {
        super(run, stage.setup, info);
        StagePlan plan = stage.setup.plan;
        this.stage = stage;
        this.courier = courier;
        this.borrower = new Borrower(run, plan, info, this::beginToWait, this::works);
        this.deferred = new DeferredItems(this, stage, borrower);
        this.outlets = new Outlet[targets.length];
        SiblingOutlets siblings = new SiblingOutlets(name(), plan.place(), outlets);
        for (int i = 0; i < targets.length; i++) {
            outlets[i] = new Outlet(this, borrower, deferred, siblings, i, targets[i]);
        }
        Forks.connect(plan.forks(), outlets);
        this.order = EmissionOrder.partOf(this, stage, outlets, deferred, borrower);
        this.batch = new @Nullable Object[pace.largest()];
        TicketSet place = stage.setup.doneFrom();
        this.departures = place == null ? null : new Departures(run.ledger(), place, batch.length);
        this.body = new BodyCalls(this, stage, outlets, borrower, deferred, departures);
        this.heldBack = new HeldBack(this, outlets, departures);
        this.pollNanos = plan.options().pollNanos();
        this.timer = pollNanos > 0 && own == null ? new PollTimer(this, stage, pollNanos) : null;
        if (own == null) {
            courier.add(heldBack);
        }
        stage.figures.add(counters);
        route = RoutedCopy.join(this, stage);
    }

    // ---- the two ways to be run

    @Override
    public void run(WorkerContext context) {
        activate(context, context.lane());
    }

    /**
     * Runs a dedicated copy to its end. Phases of the body keep their exceptions, so an exception that comes out here
     * broke the run's own state, for example when memory ends while a queue grows: no copy can go on from that, and
     * every wait throws it, as if it had happened on a worker.
     */
    void live(DedicatedThread thread, String threadName) {
        thread.bind();
        try {
            TraceLane lane = run.workers().trace().lane(threadName);
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
        } catch (Throwable t) {
            run.workers().fail(t);
            throw t; // to the log, with the name of the thread
        }
    }

    /**
     * Ends the copy without a phase of its body, since the run failed before the copy got its thread. Called instead of
     * {@link #live}.
     */
    void abandon() {
        activate(null, run.workers().trace().lane(name()));
    }

    private void poll() {
        active = true;
        body.idle();
        heldBack.flushAll();
        active = false;
    }

    // ---- one activation

    private Step activate(@Nullable WorkerContext context, TraceLane lane) {
        worker = context;
        active = true;
        if (!pace.wakesEagerly()) {
            heldBack.begin();
            courier.watch();
        }
        int asked = stage.changes(); // before closed(): see Stage.pause
        if (timer != null && timer.takeDue()) {
            poll();
            active = true;
        }
        finishDeferred();
        Turn turn = turn();
        switch (turn) {
            case WAIT -> {
                heldBack.flush();
                wakes.add(stage.passOn(counters));
            }
            case WORK -> work(lane);
            case END -> shutdown();
        }
        active = false;
        worker = null;
        heldBack.end();
        if (turn == Turn.WORK && pace.lingers()) {
            Lingering.at(stage, pace.isBusy(), this::now);
        }
        return leave(turn, asked, context);
    }

    private Turn turn() {
        if (body.begin()) {
            if (deferred.room() <= 0) {
                return Turn.WAIT;
            }
            if (!isDone()) {
                return Turn.WORK;
            }
        }
        return deferred.isOpen() ? Turn.WAIT : Turn.END; // shutdown follows its engine tasks
    }

    private boolean isDone() {
        boolean closed = stage.closed();
        Cycle cycle = stage.cycle();
        boolean done = body.isDone(closed, cycle != null && cycle.drained());
        if (!done && closed && start) {
            wakes.add(stage.append(null, run.ledger().signal(stage.here(), wakes), 1, null));
        }
        return done;
    }

    /** Takes items and works on them. The body's code begins before that, and ends in {@link Stage#pause}. */
    private void work(TraceLane lane) {
        code.beginBeforeLock(); // that of take()
        try {
            begin();
            int most = deferred.most(pace.limit());
            int count = order == null ? stage.take(batch, most, counters, route, wakes) : order.take(batch, wakes);
            run.ledger().took(stage.setup, batch, count, wakes);
            if (count > 0 && counters.measures()) {
                counters.locked(now() - counters.beginNanos);
            }
            wakeEagerly();
            if (count > 0) {
                counters.took();
                tellOfRoom();
                execute(count, lane);
            }
            heldBack.flush();
        } catch (Throwable t) {
            code.leave();
            throw t;
        }
    }

    /**
     * Interrupts the body's code if it is at work. The caller has set the run's flag, and stopped the stage, before.
     */
    void interrupt() {
        synchronized (stage) {
            boolean _ = code.interrupt();
        }
        deferred.endTurns();
    }

    private void execute(int count, TraceLane lane) {
        long begin = counters.beginNanos;
        if (departures != null) {
            departures.begin(batch, count);
        }
        int begun = body.execute(batch, count, lane, begin);
        int later = deferred.counted();
        counters.tally.executed -= later;
        heldBack.flush();
        if (departures != null) {
            end(departures, begun);
        }
        if (begun < count) {
            stage.putBack(batch, begun, count - begun);
            Arrays.fill(batch, begun, count, null);
        }
        giveTokens(begun - later); // after the flush: emitted items have tokens of their own by now
        long end = rests();
        if (timer != null) {
            timer.hadItem(end);
        }
        pace.after(begun, end - begin);
    }

    /** Continues with the items that wait for no engine task any more. */
    private void finishDeferred() {
        DeferredItems.Deferred one = deferred.next();
        if (one == null) {
            return;
        }
        works();
        for (; one != null; one = deferred.next()) {
            if (!one.abandoned && !body.finish(one)) {
                heldBack.flush();
                TicketSet place = stage.setup.doneFrom();
                if (place != null && one.ticket != 0) {
                    run.ledger().leave(place, new long[] {one.ticket}, 1, wakes);
                }
                giveTokens(1);
            }
        }
        rests();
        wakeEagerly();
    }

    private void giveTokens(int count) {
        Cycle cycle = stage.cycle();
        if (cycle != null) {
            wakes.add(cycle.give(count, null));
        }
    }

    private void shutdown() {
        body.shutdown();
        heldBack.flush();
        leaveRoute();
        wakes.add(stage.copyDone(counters, wakes));
        tellOfRoom(); // the last copy has dropped the remaining items
        for (Outlet outlet : outlets) {
            outlet.close(stage.cycle());
        }
    }

    /** Wakes the threads that wait until fewer items wait here. Called after items have left the queue. */
    private void tellOfRoom() {
        if (stage.setup.isRoomAwaited) {
            run.signal().send();
        }
    }

    /** Ends the activation; after IDLE another thread may run the copy already. */
    private Step leave(Turn turn, int asked, @Nullable WorkerContext context) {
        Wakeable list = wakes.detach();
        Step step = switch (turn) {
            case WAIT -> deferred.park();
            case WORK -> stage.pause(this, asked, counters, pollNanos > 0 || deferred.isOpen());
            case END -> Step.ENDED;
        };
        if (step == Step.STUCK) {
            step = stuck();
        }
        if (step == Step.IDLE) {
            lookLater();
            if (timer != null) {
                timer.arm();
            }
        }
        if (step == Step.AGAIN && context != null) {
            // Either way before the copy woken at the end, which runs next; others may steal this copy.
            if (pace.yields()) {
                context.readyBehind(this);
            } else {
                goesOnWith(context);
                context.readyAtEnd(this);
            }
        }
        WakeList.fireAtEnd(list, context, run.workers());
        run.life().settle();
        if (step == Step.ENDED) {
            run.life().copyDone();
        }
        return step;
    }

    /** Cancels the timers. Called when the run has ended. */
    void end() {
        if (timer != null) {
            timer.end();
        }
        endRoute();
    }

    @Override
    void works() {
        enter(CopyCounters.Phase.WORKS);
    }

    /** Passes on all that is held back, since the body is about to wait for a buffer. */
    private void beginToWait() {
        heldBack.flushAll();
        enter(CopyCounters.Phase.WAITS_FOR_BUFFER);
    }

    private void enter(CopyCounters.Phase phase) {
        long now = now();
        synchronized (stage) {
            stage.figures.enter(counters, phase, now);
            if (route != null) {
                route.enter(phase, now);
            }
        }
    }

    // ---- for others

    @Override
    int load() {
        return deferred.load();
    }

    /** Returns the name of the copy in drawings of a trace. */
    @Override
    public String toString() {
        return name() + (info.copies() > 1 ? ", copy " + info.index() : "");
    }

    /** Returns true if the calling thread is this copy's own. */
    boolean isCurrentThread() {
        return own != null && own.isCurrent();
    }

    /** Returns the number of items that were emitted at the outlet, as of now. Called by any thread. */
    long emitted(int outlet) {
        return outlets[outlet].emitted();
    }

    /**
     * Returns true if user code runs in this copy's own thread, and does not wait for a buffer. Copies without a thread
     * return false: the engine's workers answer for them.
     */
    boolean isAtWork() {
        return own != null && code.isAtWork() && !borrower.isWaiting();
    }

    /** Returns true if {@link #isAtWork}, and the thread is not blocked. */
    boolean isMoving() {
        return own != null && code.isMoving() && !borrower.isWaiting();
    }

    /** Returns the number of items that have no live task, and go on when the body has the buffer it waits for. */
    int heldUp() {
        return borrower.isWaiting() ? deferred.countOver() : 0;
    }

    /** Returns true if the body waits for a buffer that its task did not declare. */
    boolean isWaiting() {
        return borrower.isWaiting();
    }
}
