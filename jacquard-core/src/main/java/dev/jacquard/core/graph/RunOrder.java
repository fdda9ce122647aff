package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The place of a compiled graph's runs among the live tasks of their session. A run accesses everything that the tasks
 * of its graph access: the run waits for earlier live tasks that conflict, and later ones wait for the run.
 *
 * <pre>
 *  begin, nothing is live       --> the run starts at once, and is the domain's only run without a task
 *    a live task is submitted,
 *    or another run begins      --> a task is made that stands for the run, as if it had been submitted before
 *  begin, something is live     --> the run is submitted as a task, whose body starts it
 *  over                         --> ends that task, if there is one
 * </pre>
 *
 * <p>So a run without concurrent live tasks costs two looks under the domain's lock, and allocates nothing.
 *
 * <p>A failed run cancels the tasks that wait for the run because they read its output. The run poisons nothing for
 * tasks submitted later: the failure is reported to the caller that asked for the run, and the next run starts afresh.
 *
 * <p>Threads: any; the runs of one order follow one another.
 */
public final class RunOrder {
    /** The runs of a compiled graph, which their order starts. */
    public interface Runs {
        /** Starts the run: its turn has come. Called by a worker; must neither block nor throw. */
        void start();

        /**
         * Ends a run that never starts, because its input was not written, or the session gives up. Called by a worker;
         * must neither block nor throw.
         */
        void neverStarts(WorkerContext worker, RuntimeException why);
    }

    /** Where it is noted that something in the session broke off half way. */
    public final Breakage broken;

    private final DependencyDomain domain;
    private final String name;
    /** The text that names the graph in messages. */
    private final String text;

    private final AccessList accesses;
    /** True if a run takes resources when it starts, for which it needs a task. */
    private final boolean takes;

    private final Runs runs;

    /** The task that stands for the run in flight; null when there is none. Guarded by the domain's lock. */
    private @Nullable TaskNode task;
    /** True if the task in flight has started its run. Confined to the workers that run and end the task. */
    private boolean started;

    /**
     * Creates the order of one graph's runs.
     *
     * @param domain the domain of the session
     * @param name the name of the graph
     * @param accesses all accesses of the graph's tasks
     * @param runs starts the runs
     */
    public RunOrder(DependencyDomain domain, String name, AccessList accesses, Runs runs) {
        this.domain = domain;
        this.broken = domain.broken;
        this.name = name;
        this.text = "compiled graph \"" + name + '"';
        this.accesses = accesses;
        this.runs = runs;
        boolean unordered = false;
        for (int i = 0; i < accesses.size(); i++) {
            Resource resource = accesses.resource(i);
            resource.declared(); // a run that begins alone is no task
            unordered |= resource.isUnordered();
        }
        this.takes = unordered;
    }

    /**
     * Throws if the calling thread must not wait for a run, since the thread is in a listener or, for an ordered run,
     * since that would wait for a user view that the thread has open, or for the task of a function that the thread
     * runs.
     *
     * @throws IllegalStateException which names the view or the task
     */
    public void requireMayWait(boolean ordered) {
        domain.requireOutsideListeners(text);
        if (!ordered) {
            return;
        }
        if (!domain.views().isEmpty()) {
            domain.views().requireNoneInTheWay(text, null, accesses);
        }
        DrivenFunction.requireNoneInTheWay(text, null, accesses);
    }

    /**
     * Throws if the calling thread must not wait for the run in flight, since the thread is in a listener, or since the
     * run waits for a user view that the thread has open, or for the task of a function that the thread runs. Runs that
     * are to begin after it are not looked at.
     *
     * @throws IllegalStateException which names the view or the task
     */
    public void requireMayJoin() {
        domain.requireOutsideListeners(text);
        domain.lock.lock();
        TaskNode its = task;
        domain.lock.unlock();
        if (its != null && !its.isOver()) {
            domain.views().requireNoneBefore(its, text);
            DrivenFunction.requireNoneBefore(its, text);
        }
    }

    /**
     * Ends the session's run, or without a session the engine, since the start of a run broke off half way. The caller
     * has noted that in {@link #broken}.
     */
    public static void brokeOff(@Nullable RunOrder order, Dispatcher dispatcher, Error why) {
        if (order == null) {
            dispatcher.fail(why);
        } else {
            order.domain.broken.endRun(order.text);
        }
    }

    /** Throws if something in the session broke off half way, so that runs may never end. */
    public static void requireWhole(@Nullable RunOrder order) {
        if (order != null) {
            TaskWait.requireWhole(order.domain.broken);
        }
    }

    /** Returns the exception for a thread that waits for a run that failed so: the session's run may be the reason. */
    public RuntimeException explain(RuntimeException failure) {
        RunEndedException ended = failure instanceof CancellationException
                ? domain.ended(() -> String.valueOf(failure.getMessage()))
                : null;
        return ended == null ? failure : ended;
    }

    /**
     * Asks for a place for a run that is to start. Returns true if the run may start at once; else the run is started
     * later. Any thread.
     */
    public boolean begin() {
        if (accesses.isEmpty()) {
            return true;
        }
        TaskGraph graph = domain.runs();
        if (!takes) {
            domain.lock.lock();
            try {
                if (domain.epochs.beginsAlone(this)) {
                    return true;
                }
            } finally {
                domain.lock.unlock();
            }
        }
        submit(graph);
        return false;
    }

    private void submit(TaskGraph graph) {
        TaskBuilder builder = new TaskBuilder(graph, name).inTurn(accesses).unstaged(); // its tasks bring their data
        started = false;
        boolean submitted = false;
        try {
            builder.submitDetached(
                    context -> {
                        started = true;
                        graph.running().suspend((TaskNode) context);
                        runs.start();
                    },
                    new Link(null, false, true) {
                        @Override
                        void over(WorkerContext worker) {
                            if (!started) {
                                neverStarts(worker);
                            }
                        }
                    },
                    this::standBy);
            submitted = true;
        } finally {
            if (!submitted) {
                standBy(null); // else the next run that begins alone would end a task that was never submitted
            }
        }
    }

    private void standBy(@Nullable TaskNode its) {
        domain.lock.lock();
        task = its;
        domain.lock.unlock();
    }

    private void neverStarts(WorkerContext worker) {
        TaskNode its = take();
        RuntimeException why = its == null ? null : its.failure();
        if (its != null) {
            its.scope().graph.failures().tell(its.fate());
        }
        runs.neverStarts(worker, why == null ? new CancellationException(text + " was cancelled") : why);
    }

    /**
     * Makes a task that stands for the run in flight, since a live task is about to be submitted during the run. Under
     * the domain's lock.
     */
    void standIn() {
        TaskNode its = new TaskNode(domain.runs().scope(), name, accesses, context -> {}, TaskOptions.DETACHED);
        task = its;
        domain.runs().scope().enterRunning(its);
        domain.runs().running().suspend(its);
    }

    /**
     * Ends the place of a run that is over; the tasks that waited for the run go on. Called by the worker that ended
     * the run.
     *
     * @param failure the exception of the run; null when all went well
     */
    public void over(WorkerContext worker, @Nullable RuntimeException failure) {
        TaskNode its = take();
        if (its == null) {
            return;
        }
        its.scope().graph.running().resume(its);
        its.runBy(worker.index());
        if (failure == null) {
            its.end(worker, TaskState.DONE, null);
            return;
        }
        boolean cancelled = failure instanceof CancellationException;
        Outcome how = cancelled
                ? Outcome.stopped(name, text)
                : Outcome.failed(name, failure, its.ownTaskRun().tries.details(1));
        its.scope().graph.failures().tell(how); // by the run
        its.ownTaskRun().poisonsNothing = true;
        its.end(worker, cancelled ? TaskState.CANCELLED : TaskState.FAILED, how);
        its.fate(null); // poisons nothing from here on
    }

    private @Nullable TaskNode take() {
        domain.lock.lock();
        try {
            TaskNode its = task;
            task = null;
            domain.epochs.runOver(this);
            return its;
        } finally {
            domain.lock.unlock();
        }
    }
}
