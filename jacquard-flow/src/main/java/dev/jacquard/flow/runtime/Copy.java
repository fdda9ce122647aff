package dev.jacquard.flow.runtime;

import dev.jacquard.core.data.Handle;
import dev.jacquard.core.engine.Workers;
import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.WorkerContext;
import dev.jacquard.core.trace.TraceLane;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.CopyInfo;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.task.Termination;
import java.util.concurrent.CancellationException;
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
 * <p>How many items an activation takes is the matter of its {@link Pace}. Two time stamps per batch, one per item while the
 * trace is on.
 *
 * <p>Threads: all fields are confined to the activation, which is handed on through the stage's lock.
 * After {@link Stage#pause} said IDLE, or after the copy made itself ready, another thread may be at work in it: so the
 * list of copies to wake is taken out before.
 */
final class Copy extends Node {
    private static final Object[] SIGNAL = {Start.SIGNAL};

    /** The next one that must be woken: see {@link Wakes}. */
    @Nullable
    Copy nextWoken;

    private final Run run;
    private final Stage stage;
    private final CopyInfo info;
    private final Body<Object, Object> body;
    private final Outlet[] outlets;
    private final Wakes wakes = new Wakes();
    private final Borrower borrower;
    private final Tally tally;
    private final @Nullable Object[] batch;
    /** Of a dedicated copy. */
    private final @Nullable OwnThread own;

    private final Pace pace;
    private final boolean traced;
    private final int traceName;

    private boolean initialized;
    private boolean active;
    private long executed;
    private long pausedNanos;
    private @Nullable WorkerContext worker;

    Copy(Run run, Stage stage, int index, Target[][] targets) {
        this.run = run;
        this.stage = stage;
        StagePlan plan = stage.plan();
        this.own = plan.options().dedicated() ? new OwnThread(run::stopping) : null;
        this.info = new CopyInfo(plan.name(), index, plan.copies(), 0);
        this.borrower = new Borrower(run, plan, info);
        this.outlets = new Outlet[targets.length];
        for (int i = 0; i < targets.length; i++) {
            outlets[i] = new Outlet(this, i, targets[i]);
        }
        this.body = plan.bookkeeper()
                ? new RulesBody(plan.rules(), outlets, info.pipeline())
                : plan.bodies().get(index);
        this.tally = new Tally(targets.length);
        boolean oneByOne = plan.options().order() != null
                || plan.options().termination() != null
                || plan.options().endsCycle()
                || own != null;
        this.pace = new Pace(oneByOne, own != null, run.workers().workers() == 1);
        this.batch = new @Nullable Object[pace.largest()];
        this.traced = run.trace().on();
        this.traceName = traced ? run.trace().name(plan.name()) : 0;
    }

    // ---- the two ways to be run

    @Override
    public void run(WorkerContext context) {
        activate(context, context.lane());
    }

    /** The life of a dedicated copy. */
    void live(OwnThread thread, TraceLane lane) {
        thread.bind();
        long pollNanos = stage.plan().options().pollNanos();
        Step step = Step.AGAIN;
        while (step != Step.ENDED) {
            step = activate(null, lane);
            while (step == Step.IDLE && !thread.sleep(pollNanos)) {
                if (stage.leaveIdle(this)) { // else it is about to be woken
                    poll();
                    step = Step.AGAIN;
                }
            }
        }
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
        Wakes.fire(wakes.detach(), null, run.workers());
    }

    /** Makes it run again. The caller took it off the idle list. */
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
        int asked = stage.changes(); // before closed(): see Stage.pause
        boolean goesOn = begin() && !terminated();
        if (goesOn) {
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
        if (goesOn && pace.lingers()) {
            stage.linger();
        }
        Copy list = wakes.detach();
        Step step = goesOn ? stage.pause(this, asked, tally) : Step.ENDED;
        if (step == Step.STUCK) {
            step = stuck();
        }
        if (step == Step.AGAIN && context != null) {
            context.readyAtEnd(this); // before its consumers, which so run next here while others may steal this one
        }
        Wakes.fireAtEnd(list, context, run.workers());
        if (step == Step.ENDED) {
            run.copyDone();
        }
        return step;
    }

    private int take() {
        try {
            return stage.take(batch, pace.limit(), wakes);
        } catch (RuntimeException e) { // of the user's comparator
            run.fail(this, "priority", null, e);
            return 0;
        }
    }

    private boolean begin() {
        if (run.stopping()) {
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
            if (!ended && closed && stage.plan().options().start()) {
                wakes.add(stage.append(SIGNAL, 1, null));
            }
            return ended;
        } catch (Throwable t) {
            run.fail(this, "canTerminate", null, t);
            return true;
        }
    }

    private void execute(int count, TraceLane lane) {
        long start = run.trace().nanoTime();
        tally.waitNanos += pausedNanos == 0 ? 0 : start - pausedNanos;
        int done = executeAll(count, lane, start);
        for (int i = done; i < count; i++) {
            batch[i] = null;
        }
        executed += done;
        tally.executed += done;
        flush();
        Cycle cycle = stage.cycle();
        if (cycle != null) {
            wakes.add(cycle.give(count, null)); // after the flush: what the items led to has tokens of its own by now
        }
        long end = run.trace().nanoTime();
        tally.computeNanos += end - start;
        pausedNanos = end;
        pace.after(count, end - start);
    }

    /** Executes items until one fails or the run stops; answers how many its body returned from. */
    private int executeAll(int count, TraceLane lane, long start) {
        int at = 0;
        Object item = null;
        try {
            long from = start;
            for (; at < count && !run.stopping(); at++) {
                item = batch[at];
                batch[at] = null;
                assert item != null;
                executeOne(item);
                if (traced) {
                    long to = run.trace().nanoTime();
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
                run.fail(this, "execute", item == null ? null : Granted.itemOf(item), t);
            }
        }
        return at;
    }

    private void executeOne(Object item) throws Exception {
        if (item instanceof Granted withBuffers) {
            borrower.begin(withBuffers);
            try {
                call(withBuffers.item);
            } finally {
                borrower.end(wakes);
            }
        } else {
            call(item);
        }
    }

    private void call(Object item) throws Exception {
        if (own == null) {
            body.execute(item, outlets[0]);
        } else {
            own.run(() -> body.execute(item, outlets[0]));
        }
    }

    private void shutdown() {
        if (initialized) {
            try {
                body.shutdown(outlets[0]);
            } catch (Throwable t) {
                run.fail(this, "shutdown", null, t);
            }
        }
        flush();
        wakes.add(stage.copyDone(tally, wakes));
        for (Outlet outlet : outlets) {
            outlet.close(stage.cycle());
        }
    }

    private Step stuck() {
        run.fail(
                this,
                "canTerminate",
                null,
                new IllegalStateException(
                        "its input is closed and it says that it is not done, so that nothing can wake "
                                + "it: let canTerminate(true) answer true"));
        return Step.AGAIN;
    }

    private void interruptibly(OwnThread.Phase phase) throws Exception {
        if (own == null) {
            phase.run();
        } else {
            own.run(phase);
        }
    }

    private void failUnlessStopped(String phase, Throwable problem) {
        if (!isOfStop(problem)) {
            run.fail(this, phase, null, problem);
        }
    }

    /** Whether user code only gave up because the run stops. */
    private boolean isOfStop(Throwable problem) {
        return run.stopping() && (problem instanceof InterruptedException || problem instanceof CancellationException);
    }

    private void flush() {
        for (Outlet outlet : outlets) {
            outlet.flush();
        }
    }

    // ---- for the outlets

    @Override
    public String name() {
        return info.task();
    }

    boolean dedicated() {
        return own != null;
    }

    @Nullable
    OwnThread own() {
        return own;
    }

    CopyInfo info() {
        return info;
    }

    Tally tally() {
        return tally;
    }

    Wakes wakes() {
        return wakes;
    }

    Ledger ledger() {
        return run.ledger();
    }

    boolean stopping() {
        return run.stopping();
    }

    Pace pace() {
        return pace;
    }

    /** Wakes at once who waits for what was just done, if that is the pace. */
    void wakeEagerly() {
        if (pace.wakesEagerly()) {
            Wakes.fire(wakes.detach(), worker, run.workers());
        }
    }

    void checkActive() {
        if (!active) {
            throw new IllegalStateException("task \"" + name() + "\" used its emitter outside of a phase: "
                    + "an emitter is for use during the call that it was passed to");
        }
    }

    Handle<Object> take(MemoryEdge<?> edge, ReleaseRule rule) {
        return borrower.take(edge, rule, wakes, this::passOn);
    }

    /** Before this thread waits: what it holds back may be what another waits for. */
    private void passOn() {
        flush();
        Wakes.fire(wakes.detach(), null, run.workers());
    }
}
