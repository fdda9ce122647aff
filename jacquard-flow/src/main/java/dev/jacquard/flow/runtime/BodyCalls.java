package dev.jacquard.flow.runtime;

import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.core.execution.FailureLog;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Termination;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls the phases of one copy's body, and counts the items. An exception of user code fails the run, unless the task
 * drops items that fail, or user code gave up only because the run stops.
 *
 * <p>Threads: confined to the copy's activation.
 */
final class BodyCalls {
    private final EmittingCopy copy;
    private final RunLife life;
    private final Body<Object, Object> body;
    private final @Nullable Termination termination;
    private final Outlet outlet;
    private final Borrower borrower;
    private final DeferredItems deferred;
    /** The tickets of the batch; null if these are of no interest. */
    private final @Nullable Departures departures;

    /** The effects of the item that the body works on; null if the task drops no items. */
    private final @Nullable ItemScope scope;

    /** The pools that buffers of dropped items go back to. */
    private final Set<Pool> releasing;

    private final boolean traced;
    private final String traceName;
    /** The name of the phase that works on items. */
    private final String execute;

    private boolean initialized;
    private long executed;
    /** The number of items of the last batch that are done with, one way or another. */
    private int begun;

    BodyCalls(
            EmittingCopy copy,
            Stage stage,
            Outlet[] outlets,
            Borrower borrower,
            DeferredItems deferred,
            @Nullable Departures departures) {
        this.copy = copy;
        this.life = copy.run.life();
        StagePlan plan = stage.setup.plan;
        Distribution<Object> distribution = plan.place().distribution();
        if (distribution != null) {
            this.body = new Distributor(plan.name(), distribution, outlets, stage.setup.loads);
        } else if (plan.bookkeeper()) {
            this.body = rulesBody(copy, plan.rules(), outlets);
        } else {
            this.body = plan.bodies().get(copy.info.index() - plan.share().first());
        }
        this.execute = distribution == null ? "execute" : "distribute";
        this.termination = plan.options().termination();
        this.outlet = outlets[0];
        this.borrower = borrower;
        this.deferred = deferred;
        this.departures = departures;
        this.scope = copy.scope;
        this.releasing = stage.setup.releasing;
        this.traced = copy.run.workers().trace().on();
        this.traceName = plan.name();
    }

    /**
     * Returns the body of a bookkeeper: every item goes to every rule, in order. The lock of a rule is its monitor,
     * since one rule object may serve several bookkeepers. The lock is an outermost one of the runtime (rule, then
     * outlet, then ledger, then stage), and is held while the rule runs.
     */
    private static Body<Object, Object> rulesBody(
            EmittingCopy copy, List<Rule<Object, Object>> rules, Outlet[] outlets) {
        CopyCounters counters = copy.counters;
        return (item, _) -> {
            for (int i = 0; i < rules.size(); i++) {
                Rule<Object, Object> rule = rules.get(i);
                long asked = counters.measures() ? copy.now() : 0;
                synchronized (rule) {
                    if (counters.measures()) {
                        counters.locked(copy.now() - asked);
                    }
                    rule.apply(item, copy.info.pipeline(), outlets[i]);
                }
            }
        };
    }

    /** Initializes the body, unless that is done. Returns false if the run stops, or if the body throws. */
    boolean begin() {
        if (life.stopping()) {
            return false;
        }
        if (!initialized) {
            initialized = interruptibly("initialize", () -> body.initialize(copy.info));
        }
        return initialized;
    }

    void idle() {
        interruptibly("idle", () -> body.idle(outlet));
    }

    /** Returns true if the body, or the task's condition, says that the copy is done, or if one of them throws. */
    boolean isDone(boolean closed, boolean drained) {
        try {
            return body.canTerminate(closed)
                    || (termination != null
                            && termination.reached(new Termination.Progress(closed, drained, executed)));
        } catch (Throwable t) {
            life.fail(copy.info, "canTerminate", null, t);
            return true;
        }
    }

    void shutdown() {
        if (initialized) {
            copy.works();
            try {
                body.shutdown(outlet);
            } catch (Throwable t) {
                life.fail(copy.info, "shutdown", null, t);
            } finally {
                copy.rests();
            }
        }
    }

    // ---- items

    /**
     * Executes a batch, and clears it up to the first item that was not begun, since too many items wait for engine
     * tasks. Returns the number of the items before that one.
     */
    int execute(@Nullable Object[] batch, int count, TraceLane lane, long start) {
        begun = count;
        int done = executeAll(batch, count, lane, start);
        for (int i = done; i < begun; i++) {
            batch[i] = null;
        }
        executed += done;
        copy.counters.tally.executed += done;
        return begun;
    }

    /**
     * Executes items until one fails, the run stops, or too many wait for engine tasks; returns the number of items
     * that the body returned from.
     */
    private int executeAll(@Nullable Object[] batch, int count, TraceLane lane, long start) {
        int at = 0;
        int end = count;
        Object item = null;
        try {
            long from = start;
            for (; at < end && !life.stopping(); at++) {
                item = batch[at];
                batch[at] = null;
                assert item != null;
                boolean waits = executeOne(item);
                if (departures != null) {
                    departures.done(at, waits);
                }
                if (deferred.room() <= 0) {
                    end = at + 1;
                }
                if (traced) {
                    long to = copy.now();
                    lane.record(traceName, from, to, executed + at);
                    from = to;
                }
            }
            copy.counters.tally.cancelled += end - at;
        } catch (Throwable t) {
            copy.counters.tally.cancelled += end - at - 1;
            failed(item == null ? null : Numbered.itemOf(item), t);
        }
        begun = end;
        return at;
    }

    /** Executes one item; returns true if the item has to wait for engine tasks. */
    private boolean executeOne(Object queued) throws Exception {
        if (queued instanceof Granted withBuffers) {
            borrower.begin(withBuffers);
            try {
                return call(withBuffers.item, withBuffers.ticket());
            } finally {
                borrower.end(copy.wakes);
            }
        }
        if (queued instanceof Numbered numbered) {
            return numbered instanceof Dropped its ? settle(its) : call(numbered.item, numbered.ticket());
        }
        return call(queued, 0);
    }

    /** Ends an item that the queue has dropped; returns true if the item waits for its turn. */
    private boolean settle(Dropped its) throws Exception {
        copy.ticket = its.ticket();
        if (scope != null) {
            scope.begin();
        }
        try {
            its.giveBack(copy, releasing);
            copy.counters.tally.dropped++;
            copy.counters.tally.executed--; // which counts all items that the body is done with
            return isEarly(commit());
        } finally {
            copy.ticket = 0;
            if (scope != null) {
                scope.end();
            }
        }
    }

    private boolean call(Object item, long its) throws Exception {
        boolean well = false;
        boolean waits = false;
        boolean done = false;
        copy.ticket = its;
        deferred.begin(item, its);
        if (scope != null) {
            scope.begin();
        }
        try {
            try {
                body.execute(item, outlet);
                well = true;
            } finally {
                waits = deferred.end(well);
                if (waits && well) {
                    deferred.add();
                }
            }
            waits |= isEarly(waits || commit());
            done = true;
        } catch (Exception e) {
            if (scope == null || !scope.drops() || well || isOfStop(e)) {
                throw e;
            }
            waits = isEarly(scope.drop(item, e, outlet));
            copy.counters.tally.dropped++;
            copy.counters.tally.executed--; // which counts all items that the body is done with
        } finally {
            copy.ticket = 0;
            copy.endRouted(done);
            if (scope != null) {
                scope.end();
            }
        }
        return waits;
    }

    /**
     * Passes on the items that the task holds back until the item that led to them is done. Returns false if they wait
     * for their turn.
     */
    private boolean commit() {
        return scope == null || scope.commit();
    }

    /** Counts an item of the batch that is done, unless its results were {@code passed} on: it ends in its turn. */
    private boolean isEarly(boolean passed) {
        if (!passed) {
            deferred.add();
            copy.counters.tally.executed++; // from which those that were added are subtracted
        }
        return !passed;
    }

    /** Runs the continuations of an item; returns true if the item waits for further engine tasks, or for its turn. */
    boolean finish(DeferredItems.Deferred one) {
        RuntimeException failure = one.tasks.failure();
        if (failure == null && life.stopping()) {
            copy.counters.tally.cancelled++;
            return false;
        }
        boolean well = false;
        boolean done = false;
        copy.ticket = one.ticket;
        if (copy.route != null) {
            copy.route.attach(one.routed);
        }
        borrower.resume(one.slots);
        if (scope != null && one.effects != null) {
            scope.resume(one.effects);
        }
        try {
            if (failure != null) {
                throw failure;
            }
            boolean again = runContinuations(one);
            well = true;
            boolean waits = again || !commit();
            copy.counters.tally.executed += again ? 0 : 1;
            done = true;
            return waits;
        } catch (Throwable t) {
            if (well) { // its results, or those of an item after it that have waited, cannot be passed on
                failed(one.item, t);
                return false;
            }
            return !dropOrFail(one.item, t);
        } finally {
            borrower.end(copy.wakes);
            copy.ticket = 0;
            copy.endRouted(done);
            if (scope != null) {
                scope.end();
            }
        }
    }

    private boolean runContinuations(DeferredItems.Deferred one) throws Exception {
        boolean well = false;
        boolean again = false;
        deferred.begin(one.item, one.ticket);
        try {
            for (UserCode.Phase then : one.then) {
                copy.code.run(then);
            }
            well = true;
        } finally {
            again = deferred.end(well);
        }
        return again;
    }

    /**
     * Ends an item that waited for engine tasks, after one of these or a continuation threw. Returns false if the item
     * waits for its turn.
     */
    private boolean dropOrFail(Object item, Throwable problem) {
        if (scope == null || !scope.drops() || !(problem instanceof Exception failure) || isOfStop(failure)) {
            failed(item, problem);
            return true;
        }
        boolean[] passed = {true};
        try {
            copy.code.run(() -> passed[0] = scope.drop(item, failure, outlet));
            copy.counters.tally.dropped++;
        } catch (Throwable t) {
            failed(item, t);
        }
        return passed[0];
    }

    /** Counts an item after its execution threw. */
    private void failed(@Nullable Object item, Throwable problem) {
        if (isOfStop(problem)) {
            copy.counters.tally.cancelled++;
        } else {
            copy.counters.tally.failed++;
            life.fail(copy.info, execute, item, problem);
        }
    }

    // ---- user code

    /** Runs a phase; returns false if the phase throws. */
    private boolean interruptibly(String name, UserCode.Phase phase) {
        copy.works();
        try {
            copy.code.run(phase);
            return true;
        } catch (Throwable t) {
            if (!isOfStop(t)) {
                life.fail(copy.info, name, null, t);
            }
            return false;
        } finally {
            copy.rests();
        }
    }

    /** Returns true if user code gave up only because the run stops. */
    private boolean isOfStop(Throwable problem) {
        return life.stopping() && FailureLog.isGivenUp(problem);
    }
}
