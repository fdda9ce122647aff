package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Block;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.WorkerContext;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs items with no path between them in parallel. A part that never waits is a node of the engine; any other is
 * executed on a background thread, which goes on with a part that becomes ready by it.
 *
 * <pre>
 *  begin(block): all counts are set, then the items that wait for nothing start
 *  a part ends ----> one less for each successor; items that wait for nothing more start
 *               \--> one less in its block; the last one ends the pass:
 *                     its loop goes on -> begin(block) again;   it is left -> the loop ends as an item of its block
 * </pre>
 *
 * <p>Threads: the thread that brings a count of {@link BlockCounts} to 0 sees all that the others wrote, values of
 * sources included, and the next execution sees it through the engine's queues or the handover to a thread.
 * {@code live} counts executions that are under way or were started, and is raised before one is; so it is 0 once, when
 * the run is over. An execution that ends hands its own count on to the last one that it starts. Whatever goes wrong,
 * its count goes: the exception of a part, an error around it, and an execution for which there is no thread stop the
 * run, and all started executions end.
 */
final class ParallelRun implements Runner {
    private final Plan plan;
    private final OpenedParts parts;
    private final Passes passes;
    private final Stops stops;
    private final Workers workers;

    private final BlockCounts counts;
    private final PartNode[] nodes;
    private final @Nullable Savepoints savepoints;
    private final HeldItems held = new HeldItems();

    private final AtomicInteger live = new AtomicInteger();
    /** Set once, by the execution that ends last. */
    private volatile boolean over;

    ParallelRun(
            Plan plan,
            OpenedParts parts,
            Passes passes,
            Stops stops,
            Workers workers,
            @Nullable Savepoints savepoints) {
        this.plan = plan;
        this.parts = parts;
        this.passes = passes;
        this.stops = stops;
        this.savepoints = savepoints;
        this.workers = workers;
        counts = new BlockCounts(plan);
        nodes = new PartNode[parts.size()];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new PartNode(parts.get(i), this, workers.trace().on());
        }
    }

    @Override
    public void run() {
        begin();
        boolean interrupted = false;
        while (!over) {
            try {
                workers.awaitUntil(() -> over);
            } catch (InterruptedException e) {
                interrupted = true;
                stops.stop();
            } catch (RuntimeException | Error e) { // the workers have ended
                stops.broke(e);
                throw e;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts the items that wait for nothing. */
    void begin() {
        Turn turn = new Turn(null);
        live.set(1);
        try {
            startSaving();
            turn.beginTop();
        } catch (Throwable e) {
            stops.broke(e);
        }
        turn.leave();
    }

    /** Returns true if nothing runs, nor will. */
    boolean isOver() {
        return over;
    }

    /** Executes a part, unless the run is stopped. */
    void execute(OpenedPart part) {
        if (stops.isStopping()) {
            return;
        }
        try {
            long begun = workers.clock().nanoTime();
            part.begins(begun);
            try {
                stops.execute(part);
            } catch (Throwable e) {
                stops.failed(part, e);
            }
            part.ends(workers.clock().nanoTime());
        } catch (Throwable e) { // of the user's progress, say
            stops.broke(e);
        }
    }

    /** Starts the items that waited for a part that a worker has executed. */
    void end(OpenedPart part, WorkerContext worker) {
        Turn turn = new Turn(worker);
        turn.end(part);
        turn.leave();
    }

    /** The thread of a part that may wait: it goes on with such parts as long as they become ready by it. */
    private void executeWaiting(OpenedPart first) {
        @Nullable OpenedPart part = first;
        try {
            stops.begin();
        } catch (Throwable e) {
            stops.broke(e); // so that nothing is executed, and the count goes
        }
        try {
            while (part != null) {
                execute(part);
                if (Thread.currentThread().isInterrupted()) {
                    stops.forgetInterrupt();
                }
                Turn turn = new Turn(null);
                turn.end(part);
                part = turn.leaveOrGoOn();
            }
        } finally {
            stops.end();
        }
    }

    /** Holds an outermost loop between two passes if the state is due to be saved, or about to be. */
    private boolean isHeldBetween(int loop) {
        if (savepoints == null || !savepoints.isOutermost(loop)) {
            return false;
        }
        RankSavepoints ranks = savepoints.agreement();
        boolean isHeld = ranks == null ? held.holds(parts.size() + loop, savepoints.isDue(loop)) : ranks.holds(loop);
        if (isHeld) {
            savepoints.top().between(savepoints.placeOf(loop));
        }
        return isHeld;
    }

    /** All that is not over is held: saves the state, and lets it go. The one count of {@code live} is this one's. */
    private void saveAndGoOn() {
        Turn turn = new Turn(null);
        try {
            Objects.requireNonNull(savepoints).save();
            held.release().forEach(turn::goOn);
        } catch (Throwable e) {
            stops.notSaved(e);
        }
        turn.leave();
    }

    /** Over ranks: starts the thread that saves the part of this rank, which has a count until all ranks are over. */
    private void startSaving() {
        Savepoints its = savepoints;
        if (its == null || its.agreement() == null) {
            return;
        }
        live.incrementAndGet();
        try {
            workers.background(() -> saveOverRanks(its));
        } catch (Throwable e) {
            live.decrementAndGet(); // not to 0: the thread that begins has a count
            throw e;
        }
    }

    private void saveOverRanks(Savepoints its) {
        try {
            its.serve(stops, items -> {
                Turn turn = new Turn(null);
                live.incrementAndGet();
                try {
                    items.forEach(turn::goOn);
                } finally {
                    turn.leave();
                }
            });
        } catch (Throwable e) {
            stops.notSaved(e);
        } finally {
            new Turn(null).leave();
        }
    }

    /** The work of one thread when an execution is over. Confined to that thread. */
    private final class Turn {
        /** The worker that runs it; null for another thread. */
        private final @Nullable WorkerContext worker;
        /** The part that is started last, with this execution's count. */
        private @Nullable OpenedPart last;

        Turn(@Nullable WorkerContext worker) {
            this.worker = worker;
        }

        /** A part has been executed: starts the items that waited for it. */
        void end(OpenedPart part) {
            if (stops.isStopping()) {
                return;
            }
            try {
                endItem(part.number());
            } catch (Throwable e) {
                stops.broke(e);
            }
        }

        /** Starts the last one; or the execution's count goes, and with the last count the run is over. */
        void leave() {
            boolean isHandedOn = false;
            try {
                isHandedOn = last != null && isDispatched(last);
            } finally {
                if (!isHandedOn && live.decrementAndGet() == 0 && !isSaving()) {
                    over = true;
                    workers.signal();
                }
            }
        }

        /** Has the state saved if all that is left waits for that. */
        private boolean isSaving() {
            if (!held.holds() || stops.isStopping()) {
                return false;
            }
            live.set(1);
            try {
                workers.background(ParallelRun.this::saveAndGoOn);
                return true;
            } catch (Throwable e) { // there is no thread for it
                stops.notSaved(e);
                return false;
            }
        }

        /** Leaves like {@link #leave}, but for a last one that may wait: the calling thread is to execute it. */
        @Nullable
        OpenedPart leaveOrGoOn() {
            if (last != null && last.waits()) {
                return last;
            }
            leave();
            return null;
        }

        private void endItem(int ended) {
            int item = ended;
            while (true) {
                int number = counts.blockOf(item);
                Block block = plan.blocks().get(number);
                for (int place : block.next(counts.placeOf(item))) {
                    if (counts.isReady(number, place)) {
                        start(block.item(place));
                    }
                }
                if (savepoints != null && number == plan.loops().size()) {
                    savepoints.top().end(counts.placeOf(item));
                }
                if (!counts.isOver(number) || number == plan.loops().size()) {
                    return;
                }
                if (!parts.get(plan.loops().get(number).exit()).answer()) {
                    if (!isHeldBetween(number)) {
                        begin(number);
                    }
                    return;
                }
                passes.leave(number);
                item = parts.size() + number;
            }
        }

        /** Begins the program, or the rest of it after a checkpoint. */
        void beginTop() {
            int number = plan.blocks().size() - 1;
            if (savepoints == null) {
                begin(number);
                return;
            }
            Block block = plan.top();
            TopState top = savepoints.top();
            int[] missing = new int[block.size()];
            int open = 0;
            for (int place = 0; place < block.size(); place++) {
                missing[place] += block.needs(place);
                open += top.isOver(place) ? 0 : 1;
                for (int later : block.next(place)) {
                    missing[later] -= top.isOver(place) ? 1 : 0;
                }
            }
            counts.set(number, missing, open);
            for (int place = 0; place < block.size(); place++) {
                if (missing[place] == 0 && !top.isOver(place)) {
                    goOn(block.item(place));
                }
            }
        }

        /** Starts an item of the program's block, or lets a loop of it go on that is between two passes. */
        void goOn(int item) {
            TopState top = Objects.requireNonNull(savepoints).top();
            if (top.isBetween(counts.placeOf(item))) {
                top.goesOn(counts.placeOf(item));
                begin(plan.loop(item));
            } else {
                start(item);
            }
        }

        /** Begins a block: the program, or a pass of a loop. */
        void begin(int number) {
            Block block = plan.blocks().get(number);
            if (number < plan.loops().size()) {
                passes.begin(number);
            }
            counts.begin(number);
            for (int place = 0; place < block.size(); place++) {
                if (block.needs(place) == 0) {
                    start(block.item(place));
                }
            }
        }

        private void start(int item) {
            if (savepoints != null && counts.blockOf(item) == plan.loops().size() && held.holds(item, false)) {
                return;
            }
            int loop = plan.loop(item);
            if (loop >= 0) {
                passes.enter(loop);
                parts.enter(loop);
                begin(loop);
                return;
            }
            if (last != null) {
                startBeside(last);
            }
            last = parts.get(item);
        }

        private void startBeside(OpenedPart part) {
            boolean isStarted = false;
            live.incrementAndGet();
            try {
                isStarted = isDispatched(part);
            } finally {
                if (!isStarted) {
                    live.decrementAndGet(); // not to 0: this execution has a count
                }
            }
        }

        /** Hands a part on to be executed. If there is no thread for it the run stops, and its count is still there. */
        private boolean isDispatched(OpenedPart part) {
            try {
                dispatch(part);
                return true;
            } catch (Throwable e) {
                stops.notStarted(part, e);
                return false;
            }
        }

        private void dispatch(OpenedPart part) {
            if (part.waits()) {
                workers.background(() -> executeWaiting(part));
            } else if (worker == null) {
                workers.ready(nodes[part.number()]);
            } else {
                worker.readyAtEnd(nodes[part.number()]);
            }
        }
    }
}
